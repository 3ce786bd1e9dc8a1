import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { LoginError } from './login-error.js';
import { assertTrusted, loginFetch } from './login-fetch.js';

describe('assertTrusted', () => {
  it.each([
    ['https://auth.example/authorize', 'https://mcp.example/mcp'],
    ['https://auth.example/authorize', 'http://127.0.0.1:9/mcp'],
    ['http://127.0.0.1:8080/authorize', 'http://localhost:9/mcp'],
    ['http://[::1]:8080/', 'http://127.0.0.1:9/mcp'],
    ['http://mcp.lan:81/authorize', 'http://mcp.lan/mcp'],
    ['https://10.0.0.7/authorize', 'http://192.168.1.4/mcp'],
    ['https://10.example.com/', 'https://mcp.example/mcp'],
  ])('takes %s from %s', (url, server) => {
    expect(() => {
      assertTrusted(new URL(url), new URL(server));
    }).not.toThrow();
  });

  it.each([
    ['http://auth.example/authorize', 'https://mcp.example/mcp'],
    ['http://127.0.0.1:8080/authorize', 'https://mcp.example/mcp'],
    ['https://localhost/authorize', 'https://mcp.example/mcp'],
    ['http://169.254.169.254/latest', 'https://mcp.example/mcp'],
    ['https://10.0.0.7/', 'https://mcp.example/mcp'],
    ['https://172.16.3.1/', 'https://mcp.example/mcp'],
    ['https://192.168.0.1/', 'https://mcp.example/mcp'],
    ['https://[::1]/', 'https://mcp.example/mcp'],
    ['https://[fd00::1]/', 'https://mcp.example/mcp'],
    ['https://[::ffff:127.0.0.1]/', 'https://mcp.example/mcp'],
    ['file:///etc/passwd', 'http://127.0.0.1/mcp'],
    ['javascript:alert(1)', 'http://127.0.0.1/mcp'],
  ])('refuses %s from %s', (url, server) => {
    expect(() => {
      assertTrusted(new URL(url), new URL(server));
    }).toThrow(LoginError);
  });
});

describe('loginFetch', () => {
  it('does not follow a server into answers without end', async () => {
    const server = createServer((_request, response) => {
      response.writeHead(200);
      const write = (): void => {
        while (response.write(Buffer.alloc(65_536)));
        response.once('drain', write);
      };
      write();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    await expect(loginFetch(url).fetch(url)).rejects.toThrow('larger than the limit');
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
});
