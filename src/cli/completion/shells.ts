/** The shells that can complete what is typed. */
export const SHELLS = ['bash', 'zsh', 'fish'] as const;
/** One of {@link SHELLS}. */
export type ShellName = (typeof SHELLS)[number];
