import { Server } from 'a2c-smcp/server';

const server = new Server({ token: 'change-me' });
const { url } = await server.listen(8000);
console.log(`Server at ${url}`);
