import { describe, expect, it } from 'vitest';
import { Selection } from './selection.js';

function among(...computers: string[]): Selection {
  return new Selection({ computers }, 'demo');
}

describe('Selection', () => {
  it('means the only Computer there where none was chosen', () => {
    expect(among('laptop').target()).toBe('laptop');
    expect(among('laptop', 'desk').implied).toBeUndefined();
  });

  it('asks which one where there are several, and says who is there', () => {
    expect(() => among('laptop', 'desk').target()).toThrow(/which Computer\? There is "laptop", "desk": use COMPUTER/);
  });

  it('says how one gets there where there is none', () => {
    expect(() => among().target()).toThrow(
      /no Computer is in office "demo"; is that the right office\? a2c computer run/,
    );
    expect(() => {
      among().use('laptop');
    }).toThrow(/no Computer is in office "demo"/);
  });

  it('stays with the one that was chosen, also while that is away', () => {
    const computers = ['laptop', 'desk'];
    const selection = new Selection({ computers }, 'demo');
    selection.use('laptop');
    computers.shift();
    expect(selection.target()).toBe('laptop');
    expect(selection.used).toBe('laptop');
  });

  it('takes the one that a command names, whether it is there or not', () => {
    expect(among('laptop').target('desk')).toBe('desk');
  });

  it('refuses one that is not there, and names the one that was probably meant', () => {
    const use = (name: string) => (): void => {
      among('laptop', 'desk').use(name);
    };
    expect(use('lapto')).toThrow(/there is no Computer "lapto"; did you mean "laptop"\?/);
    expect(use('printer')).toThrow(/there is no Computer "printer"; there is "laptop", "desk"/);
  });
});
