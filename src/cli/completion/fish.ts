import { valueFlags, type Place, type ValueHint } from './completion-model.js';

/** The script for fish. */
export function fishScript(places: readonly Place[]): string {
  return `# Completes a2c in fish. Made by: a2c completion fish

# Whether the words so far are those of this command, and so many arguments of it.
function __a2c_at
    set -l path
    set -l count 0
    set -l skip 0
    set -l words (commandline -opc)
    switch (basename -- $words[1])
        case a2c-computer
            set path computer
        case a2c-server
            set path server
    end
    for word in $words[2..-1]
        if test $skip = 1
            set skip 0
            continue
        end
        switch $word
            case ${valueFlags(places).join(' ')}
                set skip 1
            case '-*'
            case help
                test -z "$path" -a $count = 0; or set count (math $count + 1)
            case '*'
                if contains -- (string trim -- "$path $word") ${paths(places)}
                    set path (string trim -- "$path $word")
                else
                    set count (math $count + 1)
                end
        end
    end
    test "$path" = "$argv[1]"; or return 1
    switch $argv[2]
        case '' $count
            return 0
    end
    return 1
end

for program in a2c a2c-computer a2c-server
    complete -c $program -e
    complete -c $program -f
${places
  .flatMap(placeLines)
  .map((line) => `    ${line}`)
  .join('\n')}
end
`;
}

/** A word between single quotes, which fish ends by `\\'` only. */
function word(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

function paths(places: readonly Place[]): string {
  return places
    .filter(({ path }) => path !== '')
    .map(({ path }) => word(path))
    .join(' ');
}

function placeLines({ path, words, flags, args }: Place): string[] {
  const at = (count?: number): string => `-n ${word(`__a2c_at "${path}"${count === undefined ? '' : ` ${count}`}`)}`;
  return [
    ...words.map(({ name, help }) => `complete -c $program ${at(0)} -a ${name} -d ${word(help)}`),
    ...args.flatMap((arg, index) => {
      const value = valueOptions(arg);
      return value === '' ? [] : [`complete -c $program ${arg.many ? at() : at(index)} ${value}`];
    }),
    ...flags.map(({ name, help, value }) => {
      const options = value === undefined ? '' : ` -r ${value.kind === 'files' ? '' : '-f '}${valueOptions(value)}`;
      return `complete -c $program ${at()} -l ${name.slice(2)}${options.trimEnd()} -d ${word(help)}`;
    }),
  ];
}

function valueOptions({ kind, words }: ValueHint): string {
  const options = {
    nothing: '',
    files: '-F',
    folders: `-a ${word('(__fish_complete_directories)')}`,
    words: `-a ${word(words.join(' '))}`,
  };
  return options[kind];
}
