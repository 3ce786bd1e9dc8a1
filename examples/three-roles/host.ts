import { Computer } from 'a2c-smcp/computer';

const computer = new Computer({
  name: 'laptop',
  url: 'http://127.0.0.1:8000',
  token: 'change-me',
  servers: {
    files: {
      command: 'npx',
      args: ['-y', '@modelcontextprotocol/server-filesystem', '.'],
      default_tool_meta: { auto_apply: true }, // otherwise each call needs the `confirm` callback
    },
  },
});
computer.on('serverState', ({ server, state, tools }) => {
  console.log(`${server}: ${state}, ${tools} tools`);
});
computer.start();
await computer.connect();
await computer.joinOffice('demo');
