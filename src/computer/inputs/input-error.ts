/** An input of the configuration has no value. Stops the start of the server that wants it, nothing else. Protocol §7.2. */
export class InputError extends Error {
  override readonly name = 'InputError';
  /** The id of the input. */
  readonly inputId: string;

  constructor(inputId: string, problem: string) {
    super(`Input ${JSON.stringify(inputId.slice(0, 80))}: ${problem}`);
    this.inputId = inputId;
  }
}
