import { Agent, ConnectionError, JoinRefusedError } from 'a2c-smcp/agent';
import { ErrorCode, ProtocolError, ProtocolVersionError } from 'a2c-smcp';

await using agent = new Agent({ url: 'http://127.0.0.1:8000', token: 'change-me' });
try {
  await agent.connect();
  await agent.joinOffice('demo');

  // A budget, and a way to change one's mind: the call is cancelled on the Computer and in the MCP server.
  const stop = new AbortController();
  const { signal } = stop;
  const result = await agent.callTool('laptop', 'read_text_file', { path: 'nowhere' }, { timeoutMs: 5_000, signal });
  if (result.isError === true) {
    // The tool ran and failed, or could not run: the code tells which.
    console.log('failed', result.meta?.['error_code'] ?? 'in the tool', result.content);
  }

  // Everything that a Computer can be asked for.
  console.log(await agent.listRoom());
  console.log(Object.keys((await agent.getConfig('laptop')).servers));
  console.log(await agent.getDesktop('laptop', { size: 5 }));
  console.log(await agent.callTool('nobody', 'echo'));
} catch (error) {
  if (error instanceof ProtocolVersionError) console.log('another version:', error.serverVersion);
  else if (error instanceof JoinRefusedError) console.log('not let in:', error.code, error.reason);
  else if (error instanceof ConnectionError) console.log('no connection:', error.message);
  else if (error instanceof ProtocolError && error.code === ErrorCode.NotFound) console.log('answered:', error.message);
  else throw error;
}
