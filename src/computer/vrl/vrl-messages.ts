/** What the compiler says of a script, as the interpreter gives it; places are offsets in the script's UTF-8 bytes. */
export interface RawDiagnostic {
  readonly message: string;
  readonly code: number;
  readonly severity: string;
  readonly labels: readonly { readonly message: string; readonly primary: boolean; readonly span: [number, number] }[];
}

/** What the worker is started with. */
export interface VrlWorkerData {
  /** The most memory the interpreter may take, in bytes. */
  readonly maxMemoryBytes: number;
  /** The longest outcome, in bytes of JSON. */
  readonly maxResultBytes: number;
}

/** What the worker is asked, one at a time. */
export type VrlRequest =
  | { readonly type: 'check'; readonly source: string }
  /** `event` is JSON text. */
  | { readonly type: 'run'; readonly source: string; readonly event: string };

/** What it answers. */
export type VrlReply =
  | { readonly type: 'checked'; readonly diagnostics: readonly RawDiagnostic[] }
  /** `event` is JSON text. */
  | { readonly type: 'done'; readonly event: string }
  /** The script does not compile. */
  | { readonly type: 'invalid'; readonly diagnostics: readonly RawDiagnostic[] }
  /** The text may hold anything of the event. */
  | { readonly type: 'failed'; readonly text: string }
  | { readonly type: 'too-large'; readonly bytes: number }
  /** The interpreter is broken from now on. */
  | { readonly type: 'broken' };
