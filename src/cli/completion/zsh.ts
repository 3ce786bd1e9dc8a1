import { quoted, type FlagHint, type Place, type ValueHint } from './completion-model.js';

/** The script for zsh: a file `_a2c` in the function path, or sourced after `compinit`. */
export function zshScript(places: readonly Place[]): string {
  return `#compdef a2c a2c-computer a2c-server
# Completes a2c in zsh. Made by: a2c completion zsh

${places.map(placeFunction).join('\n\n')}

_a2c() {
  case $service in
    a2c-computer) _a2c__computer ;;
    a2c-server) _a2c__server ;;
    *) _a2c__ ;;
  esac
}

if [[ $funcstack[1] == _a2c ]]; then
  _a2c "$@"
elif (( $+functions[compdef] )); then
  compdef _a2c a2c a2c-computer a2c-server
fi
`;
}

function functionName(path: string): string {
  return `_a2c__${path.replaceAll(' ', '_')}`;
}

function placeFunction({ path, words, flags, args }: Place): string {
  const specs = flags.map(flagSpec);
  if (words.length === 0) {
    const all = [...specs, ...args.map((arg, index) => `${arg.many ? '*' : index + 1}:${valueSpec(arg)}`)];
    return `${functionName(path)}() {\n  _arguments ${all.map(quoted).join(' \\\n    ')}\n}`;
  }
  const all = [...specs, '1:command:->command', '*::argument:->argument'];
  const rows = words.map(({ name, help }) => `      ${quoted(`${name}:${help}`)}`);
  const cases = words.map(({ name }) => `        ${name}) ${nextFunction(path, name)} ;;`);
  return `${functionName(path)}() {
  local curcontext="$curcontext" state line
  typeset -A opt_args
  _arguments -C ${all.map(quoted).join(' \\\n    ')}
  case $state in
    command)
      local -a commands=(
  ${rows.join('\n  ')}
      )
      _describe -t commands command commands
      ;;
    argument)
      case $line[1] in
${cases.join('\n')}
      esac
      ;;
  esac
}`;
}

/** What follows `help` is what else would stand there. */
function nextFunction(path: string, name: string): string {
  return functionName(path === '' && name === 'help' ? '' : `${path} ${name}`.trim());
}

function flagSpec({ name, help, repeats, value }: FlagHint): string {
  const text = help.replaceAll(/[\\[\]]/g, (sign) => `\\${sign}`);
  const many = repeats ? '*' : '';
  // With `=` the value may stand in the same word, or be the next one.
  return value === undefined ? `${many}${name}[${text}]` : `${many}${name}=[${text}]:${valueSpec(value)}`;
}

function valueSpec({ name, kind, words }: ValueHint): string {
  const actions = { nothing: ' ', files: '_files', folders: '_files -/', words: `(${words.join(' ')})` };
  return `${name.replaceAll(':', '\\:')}:${actions[kind]}`;
}
