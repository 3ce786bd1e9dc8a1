import { Agent } from 'a2c-smcp/agent';

// A function is asked for the token at every connect, so that it may change.
const agent = new Agent({ url: 'http://127.0.0.1:8000', name: 'watcher', token: () => 'change-me' });

agent.on('computerJoined', ({ computer }) => {
  console.log(`${computer} is here`);
});
agent.on('toolsChanged', ({ computer, tools }) => {
  console.log(`${computer} has ${tools.length} tools`);
});
agent.on('disconnected', ({ reason }) => {
  console.log(`away: ${reason}`); // It comes back by itself, into its office and with a fresh catalogue.
});

await agent.connect();
await agent.joinOffice('demo');
console.log(agent.tools.map(({ computer, name }) => `${computer}: ${name}`).join(', '));
