import { Agent } from 'a2c-smcp/agent';
import { Computer, FileDpeResolver } from 'a2c-smcp/computer';
import { Server } from 'a2c-smcp/server';

await using server = new Server();
const { url } = await server.listen(0);
await using documents = new FileDpeResolver();
const servers = { reports: { command: 'npx', args: ['tsx', 'mcp-server.ts'] } };
await using computer = new Computer({ name: 'laptop', url, servers, documents });
computer.start();
await using agent = new Agent({ url });
for (const member of [computer, agent]) {
  await member.connect();
  await member.joinOffice('demo');
}
await computer.settled(); // The MCP server runs.
for await (const { uri } of agent.discoverDocuments('laptop')) {
  const document = await agent.openDocument('laptop', uri);
  console.log(await document.toMarkdown());
}
