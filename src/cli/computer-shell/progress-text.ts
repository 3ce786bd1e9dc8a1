/** How far a tool has come, for a person: `40 %: reading`. */
export function progressText({
  progress,
  total,
  message,
}: {
  readonly progress: number;
  readonly total?: number | undefined;
  readonly message?: string | undefined;
}): string {
  const far =
    total === undefined || total <= 0 ? String(progress) : `${Math.round(Math.min(1, progress / total) * 100)} %`;
  return message === undefined || message === '' ? far : `${far}: ${message}`;
}
