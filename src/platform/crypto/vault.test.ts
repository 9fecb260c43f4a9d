import { describe, expect, it } from 'vitest';
import { Vault } from './vault.ts';

describe('a sealed secret', () => {
  const vault = new Vault('secret of the installation');
  const sealed = vault.seal('c1', 'upload e1', 'geheim');

  it('T17 is opened in its own place, and sealing a text twice gives different results', () => {
    expect(vault.open('c1', 'upload e1', sealed)).toBe('geheim');
    expect(vault.seal('c1', 'upload e1', 'geheim')).not.toBe(sealed);
    expect(Buffer.from(sealed, 'base64url').includes('geheim')).toBe(false);
  });

  it('T17 cannot be opened for another company, place or installation, or after a change', () => {
    expect(() => vault.open('c2', 'upload e1', sealed)).toThrow(/authenticate/);
    expect(() => vault.open('c1', 'upload e2', sealed)).toThrow(/authenticate/);
    expect(() => new Vault('another secret').open('c1', 'upload e1', sealed)).toThrow(/authenticate/);
    const bytes = Buffer.from(sealed, 'base64url');
    bytes.writeUInt8(bytes.readUInt8(bytes.length - 1) ^ 1, bytes.length - 1);
    expect(() => vault.open('c1', 'upload e1', bytes.toString('base64url'))).toThrow(/authenticate/);
  });

  it('T17 cannot be opened with a part of its authentication tag', () => {
    const cut = Buffer.from(vault.seal('c1', 'upload e1', ''), 'base64url').subarray(0, 16);
    expect(() => vault.open('c1', 'upload e1', cut.toString('base64url'))).toThrow(/tag/);
  });
});
