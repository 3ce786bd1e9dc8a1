import { Agent } from 'a2c-smcp/agent';

const agent = new Agent({ url: 'http://127.0.0.1:8000', token: 'change-me' });
await agent.connect();
await agent.joinOffice('demo');
const result = await agent.callTool('laptop', 'list_directory', { path: '.' }, { timeoutMs: 10_000 });
console.log(result.content);
await agent.close();
