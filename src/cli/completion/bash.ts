import { quoted, valueFlags, type Place, type ValueHint } from './completion-model.js';

/**
 * The script for bash, with or without the package bash-completion. Where files are wanted it offers nothing, upon which
 * bash completes files by its own rules for blanks, quotes and `~`.
 */
export function bashScript(places: readonly Place[]): string {
  return `# Completes a2c in bash. Made by: a2c completion bash
_a2c() {
  local cur=\${COMP_WORDS[COMP_CWORD]} path='' flag='' count=0 words='' kind='' i word
  case \${COMP_WORDS[0]##*/} in
    a2c-computer) path=computer ;;
    a2c-server) path=server ;;
  esac
${reader(places)}
  if [[ -n $flag ]]; then
    [[ $cur == '=' ]] && cur=''
    case "$path $flag" in
${valueCases(places)}
    esac
  elif [[ $cur == -* ]]; then
    kind=words
    case $path in
${flagCases(places)}
    esac
  else
    case "$path:$count" in
${placeCases(places)}
    esac
  fi
${OFFER}
}
complete -o bashdefault -o default -F _a2c a2c a2c-computer a2c-server
`;
}

/** Finds out what the words before the cursor are: a command, so many arguments of it, a flag that wants a value. */
function reader(places: readonly Place[]): string {
  return `  for ((i = 1; i < COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    if [[ -n $flag ]]; then
      # bash parts --flag=value into three words.
      [[ $word == '=' ]] || flag=''
      continue
    fi
    case $word in
      ${valueFlags(places).join('|')}) flag=$word ;;
      -*) ;;
      help) [[ -z $path && $count -eq 0 ]] || count=$((count + 1)) ;;
      *)
        case "\${path:+$path }$word" in
          ${paths(places)}) path="\${path:+$path }$word" ;;
          *) count=$((count + 1)) ;;
        esac
        ;;
    esac
  done`;
}

/** Offers what was found; nothing where files are wanted. */
const OFFER = `  COMPREPLY=()
  case $kind in
    files) ;;
    folders)
      compopt -o filenames 2>/dev/null
      local IFS=$'\\n'
      COMPREPLY=($(compgen -d -- "$cur"))
      ;;
    *)
      compopt +o default +o bashdefault 2>/dev/null
      [[ $kind == words ]] && COMPREPLY=($(compgen -W "$words" -- "$cur"))
      ;;
  esac`;

function paths(places: readonly Place[]): string {
  return places
    .filter(({ path }) => path !== '')
    .map(({ path }) => quoted(path))
    .join('|');
}

function outcome({ kind, words }: ValueHint): string {
  return kind === 'words' ? `kind=words words=${quoted(words.join(' '))}` : `kind=${kind}`;
}

/** Cases of one outcome share a line. */
function cases(rows: readonly (readonly [pattern: string, outcome: string])[]): string {
  const patterns = new Map<string, string[]>();
  for (const [pattern, result] of rows) patterns.set(result, [...(patterns.get(result) ?? []), pattern]);
  return [...patterns].map(([result, all]) => `      ${all.join('|')}) ${result} ;;`).join('\n');
}

function valueCases(places: readonly Place[]): string {
  return cases(
    places.flatMap(({ path, flags }) =>
      flags.flatMap(({ name, value }) =>
        value === undefined || value.kind === 'nothing' ? [] : [[quoted(`${path} ${name}`), outcome(value)] as const],
      ),
    ),
  );
}

function flagCases(places: readonly Place[]): string {
  return cases(
    places.map(({ path, flags }) => [quoted(path), `words=${quoted(flags.map(({ name }) => name).join(' '))}`]),
  );
}

function placeCases(places: readonly Place[]): string {
  const words = places
    .filter((place) => place.words.length > 0)
    .map(
      (place) =>
        [
          quoted(`${place.path}:0`),
          outcome({ name: '', kind: 'words', words: place.words.map(({ name }) => name) }),
        ] as const,
    );
  const args = places
    .flatMap(({ path, args: all }) => all.map((arg, index) => ({ path, index, ...arg })))
    .filter(({ kind }) => kind !== 'nothing');
  const single = args
    .filter(({ many }) => !many)
    .map((arg) => [quoted(`${arg.path}:${arg.index}`), outcome(arg)] as const);
  const many = args.filter((arg) => arg.many).map((arg) => [`${quoted(`${arg.path}:`)}*`, outcome(arg)] as const);
  // What fits any place comes last.
  return [cases([...words, ...single]), cases(many)].filter(Boolean).join('\n');
}
