/**
 * Opens an address in the browser of this machine.
 *
 * @param url - http or https: what else a system opens may be a program.
 */
export async function openSystemBrowser(url: string): Promise<void> {
  const { default: open } = await import('open');
  const child = await open(url);
  // No browser, no desktop: the address is shown anyway.
  child.on('error', () => undefined);
}
