/** What has no value. */
export type MissingValue = { readonly input: string } | { readonly variable: string };

/**
 * An input of the configuration, or a variable that it names as `${env:NAME}`, has no value. Stops the start of the
 * server that wants it, nothing else. The message never holds a value. Protocol §7.2.
 */
export class InputError extends Error {
  override readonly name = 'InputError';
  /** The id of the input; absent: a variable that a server's parameters name. */
  readonly inputId: string | undefined;

  constructor(missing: string | MissingValue, problem: string) {
    const what = typeof missing === 'string' ? { input: missing } : missing;
    super(
      'input' in what ? `Input ${quoted(what.input)}: ${problem}` : `Variable ${quoted(what.variable)}: ${problem}`,
    );
    this.inputId = 'input' in what ? what.input : undefined;
  }
}

/** A name as a message shows it. */
export function quoted(name: string): string {
  return JSON.stringify(name.length > 80 ? `${name.slice(0, 80)}…` : name);
}
