import type { Computer, InputValueStatus } from '../../computer/index.js';
import { isJsonObject, type JsonObject } from '../../protocol/index.js';
import { readJsonArgument } from '../flags/call-arguments.js';
import { CommandError, UsageError } from '../failure.js';
import { printable } from '../terminal/printable.js';
import { nearest } from '../shell/parse-call.js';
import type { ShellCall } from '../shell/shell-command.js';
import { define, type ComputerContext } from './computer-context.js';
import { printTable } from '../terminal/show.js';

type Call = ShellCall<ComputerContext>;

const ID = { name: 'ID', help: 'the id of an input', completes: ['input'] } as const;
const DEFINITIONS = {
  name: 'INPUTS',
  help: 'JSON, or @FILE with JSON: one input, an array of them, or { "inputs": […] }',
  completes: ['@file', 'file'],
} as const;

/** The definitions in a value: one, an array, or under `inputs`. @throws UsageError. */
function inputsIn(value: unknown): JsonObject[] {
  const inputs = isJsonObject(value) && Object.hasOwn(value, 'inputs') ? value['inputs'] : value;
  const found = Array.isArray(inputs) ? inputs : [inputs];
  if (!found.every(isJsonObject))
    throw new UsageError('INPUTS: expected an object with "id" and "type", or an array of such');
  return found;
}

function known(computer: Computer): string[] {
  return computer.inputs().map(({ id }) => id);
}

/** @throws CommandError when there is no such input. */
function assertKnown(computer: Computer, id: string): void {
  const ids = known(computer);
  if (ids.includes(id)) return;
  const near = nearest(id.toLowerCase(), ids);
  const hint =
    near === undefined
      ? `; there is ${ids.length === 0 ? 'none: inputs load @FILE' : ids.join(', ')}`
      : `; did you mean "${near}"?`;
  throw new CommandError(`there is no input "${id}"${hint}`);
}

/** Sets definitions; all are judged before the first one is taken. @throws ConfigError saying which one is wrong. */
async function setAll(computer: Computer, definitions: readonly JsonObject[]): Promise<string[]> {
  const { readConfig } = await import('../../computer/index.js');
  const { inputs } = readConfig({ servers: {}, inputs: definitions });
  for (const definition of definitions) await computer.setInput(definition);
  return [...inputs.keys()];
}

const load = define({
  path: 'inputs load',
  summary: 'Replace all inputs by those of a file; values stay where the definition does',
  args: [DEFINITIONS],
  flags: {},
  examples: ['inputs load @inputs.json', 'inputs load [{"id":"token","type":"promptString","password":true}]'],
  secret: true,
  run: async ({ context: { computer }, args: [source = ''], show }) => {
    const definitions = inputsIn(await readJsonArgument(source, 'INPUTS'));
    const ids = await setAll(computer, definitions);
    for (const id of known(computer)) if (!ids.includes(id)) await computer.removeInput(id);
    show({ inputs: ids }, (terminal) => {
      terminal.line(printable(`inputs: ${ids.join(', ') || 'none'}`));
    });
  },
});

const SETTERS = [
  { word: 'add', isNew: true, summary: 'Add inputs' },
  { word: 'update', isNew: false, summary: 'Give inputs other definitions' },
] as const;

const setters = SETTERS.map(({ word, isNew, summary }) =>
  define({
    path: `inputs ${word}`,
    summary,
    args: [DEFINITIONS],
    flags: {},
    examples: [`inputs ${word} {"id":"token","type":"promptString","description":"The API token","password":true}`],
    secret: true,
    run: async ({ context: { computer }, args: [source = ''], show }) => {
      const definitions = inputsIn(await readJsonArgument(source, 'INPUTS'));
      const ids = known(computer);
      for (const { id } of definitions) {
        if (isNew && ids.includes(String(id)))
          throw new CommandError(`there is an input "${String(id)}" already; inputs update changes it`);
        if (!isNew) assertKnown(computer, String(id));
      }
      const set = await setAll(computer, definitions);
      show({ inputs: set }, (terminal) => {
        terminal.line(printable(`${isNew ? 'added' : 'changed'}: ${set.join(', ')}`));
      });
    },
  }),
);

const remove = define({
  path: 'inputs rm',
  aliases: ['inputs remove'],
  summary: 'Take an input and its value out',
  args: [ID],
  flags: {},
  examples: ['inputs rm token'],
  run: async ({ context: { computer }, args: [id = ''], show }) => {
    assertKnown(computer, id);
    await computer.removeInput(id);
    show({ id, removed: true }, (terminal) => {
      terminal.line(printable(`${id}: removed`));
    });
  },
});

const get = define({
  path: 'inputs get',
  summary: 'Show the definition of an input',
  args: [ID],
  flags: {},
  examples: ['inputs get token'],
  run: ({ context: { computer }, args: [id = ''], show }) => {
    assertKnown(computer, id);
    const found = computer.inputs().find((input) => input.id === id);
    show(found, (terminal) => {
      terminal.line(printable(JSON.stringify(found, null, 2)));
    });
  },
});

const list = define({
  path: 'inputs list',
  aliases: ['inputs'],
  summary: 'List the inputs, and where the value of each came from',
  args: [],
  flags: {},
  examples: ['inputs list'],
  run: ({ context: { computer }, show }) => {
    const definitions = computer.inputs();
    const values = new Map(computer.inputValues().map((value) => [value.id, value]));
    show(definitions, (terminal) => {
      printTable(terminal, {
        headings: ['INPUT', 'TYPE', 'VALUE', 'DESCRIPTION'],
        rows: definitions.map(({ id, type, description }) => [id, type, valueSentence(values.get(id)), description]),
        none: 'no inputs: inputs load @FILE',
      });
    });
  },
});

function valueSentence(value: InputValueStatus | undefined): string {
  if (value?.asking === true) return 'being asked for';
  if (value?.hasValue !== true) return 'none yet';
  const shown = value.value === undefined ? 'hidden' : JSON.stringify(value.value);
  return value.source === undefined ? shown : `${shown} (${value.source})`;
}

const valueList = define({
  path: 'inputs value list',
  summary: 'List the values that inputs have; what may be secret is not shown',
  args: [],
  flags: {},
  examples: ['inputs value list'],
  run: ({ context: { computer }, show }) => {
    const values = computer.inputValues();
    show(values, (terminal) => {
      printTable(terminal, {
        headings: ['INPUT', 'VALUE'],
        rows: values.map((value) => [value.id, valueSentence(value)]),
        none: 'no inputs',
      });
    });
  },
});

const valueGet = define({
  path: 'inputs value get',
  summary: 'Show the value of an input, unless it may be secret',
  args: [ID],
  flags: {},
  examples: ['inputs value get region'],
  run: ({ context: { computer }, args: [id = ''], show }) => {
    assertKnown(computer, id);
    const value = computer.inputValues().find((other) => other.id === id);
    show(value, (terminal) => {
      terminal.line(printable(`${id}: ${valueSentence(value)}`));
    });
  },
});

const valueSet = define({
  path: 'inputs value set',
  summary: 'Give an input a value, in memory only; without one its default',
  args: [ID, { name: 'VALUE', help: 'JSON, or a text', optional: true }],
  flags: {},
  examples: ['inputs value set region eu-central-1', 'inputs value set tags ["a","b"]'],
  secret: true,
  run: async (call) => {
    const [id = '', typed] = call.args;
    const { computer } = call.context;
    assertKnown(computer, id);
    await computer.setInputValue(id, typed === undefined ? defaultOf(call, id) : jsonOrText(typed));
    call.show({ id, set: true }, (terminal) => {
      terminal.line(printable(`${id}: set`));
    });
  },
});

function defaultOf({ context: { computer } }: Call, id: string): unknown {
  const value = computer.configuration().inputs.find((input) => input['id'] === id)?.['default'];
  if (value == null) throw new UsageError(`VALUE is missing: the input "${id}" has no default`);
  return value;
}

function jsonOrText(typed: string): unknown {
  try {
    return JSON.parse(typed) as unknown;
  } catch {
    return typed;
  }
}

const valueClears = [
  define({
    path: 'inputs value rm',
    aliases: ['inputs value remove'],
    summary: 'Forget the value of an input, so that it is asked for again',
    args: [ID],
    flags: {},
    examples: ['inputs value rm token'],
    run: async ({ context: { computer }, args: [id = ''], show }) => {
      assertKnown(computer, id);
      await computer.clearInput(id);
      show({ id, cleared: true }, (terminal) => {
        terminal.line(printable(`${id}: forgotten`));
      });
    },
  }),
  define({
    path: 'inputs value clear',
    summary: 'Forget the value of an input, or of all',
    args: [{ ...ID, optional: true }],
    flags: {},
    examples: ['inputs value clear', 'inputs value clear token'],
    run: async ({ context: { computer }, args: [id], show }) => {
      if (id !== undefined) assertKnown(computer, id);
      await computer.clearInput(id);
      show({ id: id ?? null, cleared: true }, (terminal) => {
        terminal.line(printable(`${id ?? 'all values'}: forgotten`));
      });
    },
  }),
];

/** What an owner does with inputs. */
export const INPUT_COMMANDS = [load, ...setters, remove, get, list, valueList, valueGet, valueSet, ...valueClears];
