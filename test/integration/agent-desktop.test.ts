import { describe, expect, it } from 'vitest';
import { failure, fakeComputer, joinedAgent, startServer, type FakeComputer } from './agent-fixtures.js';

/** A Computer whose desktop is what the test says. */
async function computerWith(url: string, show: () => unknown): Promise<FakeComputer> {
  return fakeComputer(url, { office: 'o', name: 'laptop' }, { 'client:get_desktop': show });
}

function changed({ socket }: FakeComputer): void {
  socket.emit('server:update_desktop', { computer: 'laptop' });
}

const asked = ({ received }: FakeComputer): number =>
  received.filter(({ event }) => event === 'client:get_desktop').length;

describe('watchDesktop', () => {
  it('yields the desktop at first and after each change that shows, and ends with its signal [R-3.4-desktop]', async () => {
    const { url } = await startServer();
    let text = 'one';
    const laptop = await computerWith(url, () => ({ desktops: [text], req_id: 'x' }));
    const agent = await joinedAgent(url, 'o');
    const controller = new AbortController();
    const watching = agent.watchDesktop('laptop', { size: 3, window: 'window://h/w', signal: controller.signal });
    expect(await watching.next()).toEqual({ done: false, value: ['one'] });
    const second = watching.next();
    changed(laptop);
    text = 'two';
    changed(laptop);
    expect(await second).toEqual({ done: false, value: ['two'] });
    const last = watching.next();
    controller.abort();
    expect(await last).toEqual({ done: true, value: undefined });
    expect(laptop.received.find(({ event }) => event === 'client:get_desktop')?.payload).toMatchObject({
      desktop_size: 3,
      window: 'window://h/w',
    });
  });

  it('fetches once for a burst that comes while the application is busy, and never misses the last state', async () => {
    const { url } = await startServer();
    let version = 0;
    const laptop = await computerWith(url, () => ({ desktops: [`v${version}`], req_id: 'x' }));
    const agent = await joinedAgent(url, 'o');
    const watching = agent.watchDesktop('laptop');
    expect((await watching.next()).value).toEqual(['v0']);
    const told = new Promise<void>((resolve) => {
      let notices = 0;
      agent.on('desktopChanged', () => {
        notices += 1;
        if (notices === 50) resolve();
      });
    });
    for (version = 1; version < 50; version++) changed(laptop);
    changed(laptop);
    await told;
    expect((await watching.next()).value).toEqual(['v50']);
    expect(asked(laptop)).toBe(2);
    await watching.return();
  });

  it('goes on when the Computer comes back, and when the Agent does', async () => {
    const { url, server, port } = await startServer();
    const laptop = await computerWith(url, () => ({ desktops: ['before'], req_id: 'x' }));
    const agent = await joinedAgent(url, 'o');
    const watching = agent.watchDesktop('laptop');
    expect((await watching.next()).value).toEqual(['before']);
    const next = watching.next();
    laptop.socket.disconnect();
    await computerWith(url, () => ({ desktops: ['back'], req_id: 'x' }));
    expect((await next).value).toEqual(['back']);
    const last = watching.next();
    await server.close();
    await startServer({}, port);
    await computerWith(url, () => ({ desktops: ['again'], req_id: 'x' }));
    expect((await last).value).toEqual(['again']);
    await watching.return();
  });

  it('tries again after an answer that is none, without another notice', async () => {
    const { url } = await startServer();
    const answers: unknown[] = [
      { desktops: ['one'], req_id: 'x' },
      { code: 500, message: 'busy' },
      { desktops: ['two'], req_id: 'x' },
    ];
    const laptop = await computerWith(url, () => answers.shift());
    const agent = await joinedAgent(url, 'o');
    const watching = agent.watchDesktop('laptop');
    await watching.next();
    const next = watching.next();
    changed(laptop);
    expect((await next).value).toEqual(['two']);
    await watching.return();
  });

  it('throws what the first desktop throws, and what does not pass', async () => {
    const { url } = await startServer();
    const answers: unknown[] = [
      { desktops: ['one'], req_id: 'x' },
      { code: 403, message: 'no' },
    ];
    const laptop = await computerWith(url, () => answers.shift());
    const agent = await joinedAgent(url, 'o');
    expect(await failure(agent.watchDesktop('nobody').next())).toMatchObject({ code: 404 });
    const watching = agent.watchDesktop('laptop');
    await watching.next();
    const next = failure(watching.next());
    changed(laptop);
    expect(await next).toMatchObject({ code: 403 });
    expect(await watching.next()).toEqual({ done: true, value: undefined });
  });

  it('ends when the Agent is closed', async () => {
    const { url } = await startServer();
    await computerWith(url, () => ({ desktops: ['one'], req_id: 'x' }));
    const agent = await joinedAgent(url, 'o');
    const watching = agent.watchDesktop('laptop');
    await watching.next();
    const next = watching.next();
    await agent.close();
    expect(await next).toEqual({ done: true, value: undefined });
    expect(await agent.watchDesktop('laptop').next()).toEqual({ done: true, value: undefined });
  });
});
