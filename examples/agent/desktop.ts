import { Agent } from 'a2c-smcp/agent';

await using agent = new Agent({ url: 'http://127.0.0.1:8000', name: 'observer', token: 'change-me' });
await agent.connect();
await agent.joinOffice('demo');

// The desktop as it is, and again after each change, until the loop is left or the signal is aborted.
const stop = new AbortController();
for await (const windows of agent.watchDesktop('laptop', { size: 5, signal: stop.signal })) {
  console.log(`${windows.length} windows`);
  for (const window of windows) console.log(window); // Its URI, a blank line, its text.
  if (windows.length === 0) stop.abort(); // No MCP server of this Computer has windows: nothing to wait for here.
}
