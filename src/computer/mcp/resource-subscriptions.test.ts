import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { ResourceSubscriptions } from './resource-subscriptions.js';

/** The two methods of a session that matter here; what they are asked is written down, the test answers. */
function make() {
  const asked: string[] = [];
  const answers: ((error?: Error) => void)[] = [];
  const request = (what: string): Promise<void> => {
    asked.push(what);
    return new Promise((resolve, reject) => {
      answers.push((error) => {
        if (error === undefined) resolve();
        else reject(error);
      });
    });
  };
  const subscriptions = new ResourceSubscriptions({
    subscribe: (uri) => request(`+${uri}`),
    unsubscribe: (uri) => request(`-${uri}`),
  });
  const answer = async (error?: Error): Promise<void> => {
    await setImmediate();
    answers.shift()?.(error);
    await setImmediate();
  };
  return { asked, subscriptions, answer };
}

describe('ResourceSubscriptions', () => {
  it('asks once for several users and tells the server when the last one leaves [F-I-counted]', async () => {
    const { asked, subscriptions, answer } = make();
    const both = Promise.all([subscriptions.subscribe('a:b'), subscriptions.subscribe('a:b')]);
    await answer();
    await both;
    await subscriptions.unsubscribe('a:b');
    expect(asked).toEqual(['+a:b']);
    const leaving = subscriptions.unsubscribe('a:b');
    await answer();
    await leaving;
    await subscriptions.unsubscribe('a:b');
    expect(asked).toEqual(['+a:b', '-a:b']);
  });

  it('records nothing that the server refused [F-I-counted]', async () => {
    const { asked, subscriptions, answer } = make();
    const refused = subscriptions.subscribe('a:b');
    refused.catch(() => undefined);
    await answer(new Error('no'));
    await expect(refused).rejects.toThrow('no');
    await subscriptions.unsubscribe('a:b');
    const again = subscriptions.subscribe('a:b');
    await answer();
    await again;
    expect(asked).toEqual(['+a:b', '+a:b']);
  });

  it('does not take back what is wanted again meanwhile', async () => {
    const { asked, subscriptions, answer } = make();
    const all = [subscriptions.subscribe('a:b'), subscriptions.unsubscribe('a:b'), subscriptions.subscribe('a:b')];
    await answer();
    await Promise.all(all);
    expect(asked).toEqual(['+a:b']);
  });

  it('asks for one thing at a time', async () => {
    const { asked, subscriptions, answer } = make();
    const first = subscriptions.subscribe('a:b');
    await answer();
    const leaving = subscriptions.unsubscribe('a:b');
    await setImmediate();
    const back = subscriptions.subscribe('a:b');
    await setImmediate();
    expect(asked).toEqual(['+a:b', '-a:b']);
    await answer();
    expect(asked).toEqual(['+a:b', '-a:b', '+a:b']);
    await answer();
    await Promise.all([first, leaving, back]);
  });
});
