import fc from 'fast-check';
import { lexer, type Token, type TokensList } from 'marked';
import { describe, expect, it } from 'vitest';
import { ELEMENT_CATEGORIES, type JsonObject } from '../../protocol/index.js';
import { DocumentPage } from './document-page.js';

const page = (elements: readonly JsonObject[], title?: unknown): DocumentPage =>
  new DocumentPage({ index: 0, entry: {}, content: { elements, title } });
const markdown = (category: string, text: string, ele_metadata?: unknown): string =>
  page([{ category, text, ele_metadata }]).toMarkdown();

/** All tokens, those within others too. */
function* walk(tokens: readonly Token[]): Generator<Token, void, undefined> {
  for (const token of tokens) {
    yield token;
    const { tokens: inner = [], items = [], header = [], rows = [] } = token as Partial<Record<string, unknown[]>>;
    yield* walk([inner, items].flat() as Token[]);
    for (const cell of [header, rows.flat()].flat() as { tokens: Token[] }[]) yield* walk(cell.tokens);
  }
}
/** What a reader sees, without markup. */
const shown = (source: string): string =>
  [...walk(lexer(source))]
    .map((token) => ('tokens' in token || 'items' in token || !('text' in token) ? '' : (token.text as string)))
    .join('')
    .replaceAll(
      /&(amp|lt|gt|quot|#39);/g,
      (_, name: string) => ({ amp: '&', lt: '<', gt: '>', quot: '"' })[name] ?? "'",
    );

describe('a page as Markdown', () => {
  it('has headings, lists, code, tables, captions and rules', () => {
    const elements = [
      { category: 'Title', text: 'Results' },
      { category: 'NarrativeText', text: 'One.\nTwo.\n\nThree.' },
      { category: 'Title', text: 'Detail', ele_metadata: { category_depth: 1 } },
      { category: 'ListItem', text: 'a' },
      { category: 'ListItem', text: 'b', ele_metadata: { category_depth: 1 } },
      { category: 'ListItem', text: 'c' },
      { category: 'CheckBox', text: 'done', ele_metadata: { checked: true } },
      { category: 'CheckBox', text: 'open', ele_metadata: { checked: false } },
      { category: 'CheckBox', text: 'who knows' },
      { category: 'CodeSnippet', text: 'let a = 1;\n  b();', ele_metadata: { language: 'ts' } },
      { category: 'Formula', text: 'a_1 = b^2' },
      { category: 'Table', text: 'x | y\n1 | 2' },
      { category: 'Image', text: 'A cat' },
      { category: 'FigureCaption', text: 'Figure 1' },
      { category: 'PageBreak', text: '' },
      { category: 'Chart', text: 'unknown kinds are text' },
    ];
    expect(page(elements, 'Page one').toMarkdown()).toBe(
      [
        '# Page one',
        '## Results',
        'One.\\\nTwo.\n\nThree.',
        '### Detail',
        '- a\n  - b\n- c\n- [x] done\n- [ ] open\n- who knows',
        '```ts\nlet a = 1;\n  b();\n```',
        '```math\na_1 = b^2\n```',
        '| x | y |\n| --- | --- |\n| 1 | 2 |',
        '*Image: A cat*',
        '*Figure 1*',
        '***',
        'unknown kinds are text',
      ].join('\n\n'),
    );
  });

  it('does not say a title twice', () => {
    expect(page([{ category: 'Title', text: 'Same  title' }], 'Same title').toMarkdown()).toBe('# Same title');
  });

  it('leaves out headers, footers and page numbers where they are not wanted', () => {
    const elements = ['Header', 'Footer', 'PageNumber', 'NarrativeText'].map((category) => ({
      category,
      text: category,
    }));
    expect(page(elements).toMarkdown()).toBe('Header\n\nFooter\n\nPageNumber\n\nNarrativeText');
    expect(page(elements).toMarkdown({ furniture: false })).toBe('NarrativeText');
  });

  it.each<[string, unknown, string]>([
    [
      'rows',
      { rows: [['a', 1], [null], ['b|c', { d: true }, 'more']] },
      '| a | 1 |  |\n| --- | --- | --- |\n|  |\n| b\\|c | \\{"d":true\\} | more |',
    ],
    [
      'HTML as text extractors write it',
      {
        text_as_html:
          '<table><thead><tr><th>A</th><th>B</th></tr></thead><tr><td>1 &lt; 2</td><td>x<br>y</td></tr></table>',
      },
      '| A | B |\n| --- | --- |\n| 1 \\< 2 | x y |',
    ],
    ['HTML whose tags are not closed', { html: '<TR><TD>a<TD>b<TR><TD>c' }, '| a | b |\n| --- | --- |\n| c |'],
    ['HTML without cells', { html: '<script>alert(1)</script>' }, 'plain \\| text\\\nno table'],
    ['rows that are none', { rows: [1] }, 'plain \\| text\\\nno table'],
    ['metadata that is nothing', null, 'plain \\| text\\\nno table'],
  ])('makes a table of %s', (_, metadata, expected) => {
    expect(markdown('Table', 'plain | text\nno table', metadata)).toBe(expected);
  });

  it('takes no longer for HTML that is nothing but beginnings of tags', () => {
    const html = `<table><tr><td>${'<a '.repeat(300_000)}`;
    expect(markdown('Table', 'x', { html }).length).toBeGreaterThan(300_000);
  });

  it.each([
    ['a fence', 'CodeSnippet', 'a\n```\n<script>alert(1)</script>\n````\n# out'],
    ['a fence that hides behind a control character', 'CodeSnippet', 'a\n``\u0000`\nout'],
    ['a fence of a formula', 'Formula', '```\n$$\n![x](http://evil.example/)'],
  ])('does not let %s be closed', (_, category, text) => {
    const tokens: TokensList = lexer(`${markdown(category, text)}\n\nafter`);
    expect(tokens.filter(({ type }) => type !== 'space').map(({ type }) => type)).toEqual(['code', 'paragraph']);
  });

  it.each([
    ['HTML', '<img src=x onerror=alert(1)> &lt;b&gt;'],
    ['a picture', '![x](http://evil.example/?q=secret)'],
    ['a link', '[click](javascript:alert(1)) <http://evil.example> [a]: http://evil.example'],
    ['an address', 'see https://evil.example/a_b?c=d, www.evil.example or me@evil.example'],
    ['a heading', '# no\n## no'],
    ['a line below that makes a heading', 'no\n---\nno\n==='],
    ['a list', '- no\n+ no\n* no\n1. no\n2) no'],
    ['a quote', '> no'],
    ['indented code', '    no\n\tno'],
    ['a table', 'a | b\n--|--\n1 | 2'],
    ['a table without bars', 'a\n:-:\nb'],
    ['a fence', '~~~\nno\n```\nno'],
    ['emphasis', '*no* _no_ **no** ~~no~~ `no`'],
    ['a backslash at the end', 'no\\\nno\\'],
  ])('shows %s as the text that it is', (_, text) => {
    for (const category of ['NarrativeText', 'ListItem', 'Title', 'Image']) {
      const found = [...walk(lexer(markdown(category, text)))];
      const allowed = ['paragraph', 'text', 'escape', 'br', 'space', 'heading', 'list', 'list_item', 'em'];
      expect(found.filter((token) => !allowed.includes(token.type))).toEqual([]);
    }
    const bare = (line: string): string => line.replaceAll(/\s/g, '');
    expect(bare(shown(markdown('NarrativeText', text)))).toBe(bare(text));
  });

  it('makes no markup of whatever a document says', () => {
    const nasty = fc.string({
      unit: fc.oneof(
        fc.constantFrom(
          '\\',
          '`',
          '*',
          '_',
          '[',
          ']',
          '{',
          '}',
          '(',
          ')',
          '<',
          '>',
          '#',
          '+',
          '-',
          '.',
          '!',
          '|',
          '~',
          '$',
        ),
        fc.constantFrom('&', ':', '=', '\n', '\r', '\t', ' ', '1', 'a', '/', '"', "'", '\u2028', '\u0000'),
        fc.constantFrom('![', '](', '<a ', '```', 'www.', 'https://', 'a@b.cd', '---'),
        fc.string({ minLength: 1, maxLength: 1, unit: 'binary' }),
      ),
      maxLength: 60,
    });
    const category = fc.constantFrom(
      'NarrativeText',
      'Title',
      'ListItem',
      'Image',
      'FigureCaption',
      'Address',
      'Chart',
    );
    fc.assert(
      fc.property(category, nasty, (kind, text) => {
        const source = markdown(kind, text);
        const found = [...walk(lexer(source))];
        const forbidden = [
          'html',
          'link',
          'image',
          'code',
          'codespan',
          'blockquote',
          'hr',
          'def',
          'table',
          'strong',
          'del',
        ];
        expect(found.filter(({ type }) => forbidden.includes(type))).toEqual([]);
        expect(found.filter(({ type }) => type === 'heading').length).toBeLessThanOrEqual(kind === 'Title' ? 1 : 0);
        expect(found.filter(({ type }) => type === 'list').length).toBeLessThanOrEqual(kind === 'ListItem' ? 1 : 0);
      }),
      { numRuns: 2_000 },
    );
  });

  it('never throws, whatever the elements are [R-8.5-reader]', () => {
    const element = fc.record(
      {
        category: fc.oneof(fc.constantFrom(...ELEMENT_CATEGORIES), fc.jsonValue()),
        text: fc.oneof(fc.string({ unit: 'binary' }), fc.jsonValue()),
        element_id: fc.jsonValue(),
        page_index: fc.jsonValue(),
        ele_metadata: fc.oneof(
          fc.jsonValue(),
          fc.dictionary(
            fc.constantFrom('rows', 'html', 'text_as_html', 'category_depth', 'level', 'language', 'checked', 'alt'),
            fc.oneof(fc.jsonValue(), fc.string(), fc.array(fc.array(fc.jsonValue()))),
          ),
        ),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.array(element), fc.jsonValue(), (elements, title) => {
        const read = page(elements, title);
        expect(typeof read.toMarkdown()).toBe('string');
        expect(typeof read.text()).toBe('string');
        expect(read.elements).toHaveLength(elements.length);
      }),
      { numRuns: 500 },
    );
  });
});

describe('the elements of a page', () => {
  it.each(ELEMENT_CATEGORIES)('[R-8.5-categories] are read as %s', (category) => {
    const content = { element_id: 'e', category, text: 'x', page_index: 3, ele_metadata: { a: 1 }, colour: 'red' };
    expect(page([content]).elements).toMatchObject([
      { category, id: 'e', text: 'x', pageIndex: 3, metadata: { a: 1 }, content },
    ]);
  });

  it('[R-8.5-reader] of an unknown category are plain text that keeps it, and unknown fields', () => {
    const content = JSON.parse('{"category":"Chart","text":"x","__proto__":{"a":1},"axis":[1]}') as JsonObject;
    const [element] = page([content]).elements;
    expect(element).toMatchObject({
      category: 'UncategorizedText',
      originalCategory: 'Chart',
      text: 'x',
      metadata: {},
    });
    expect(JSON.stringify(element?.content)).toBe('{"category":"Chart","text":"x","__proto__":{"a":1},"axis":[1]}');
  });

  it('have the levels that extractors give', () => {
    const elements = [{ category_depth: 2 }, { level: 3 }, { category_depth: -1 }, { level: '2' }, null];
    const read = page(elements.map((ele_metadata) => ({ category: 'Title', text: 'x', ele_metadata }))).elements;
    expect(read.map((element) => element.category === 'Title' && element.level)).toEqual([3, 3, 1, 1, 1]);
  });

  it('give their texts, one a line', () => {
    expect(page([{ text: 'a' }, { text: '' }, {}, { text: 'b' }]).text()).toBe('a\nb');
  });
});
