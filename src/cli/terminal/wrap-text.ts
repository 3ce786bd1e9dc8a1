import { stripVTControlCharacters } from 'node:util';
import { displayWidth } from './render-table.js';

/** Breaks a text between words into lines of at most `width` columns; a longer word keeps its line. */
export function wrapText(text: string, width: number, indent: string): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/(?<=\S)(?= +\S)/)) {
    const fits = displayWidth(stripVTControlCharacters(line + word)) <= width;
    if (line === '' || fits) line += word;
    else {
      lines.push(line);
      line = `${indent}${word.trimStart()}`;
    }
  }
  return [...lines, line];
}
