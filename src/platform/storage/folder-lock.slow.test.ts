import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { isLocked, lockFolder } from './folder-lock.ts';

describe('the data folder', () => {
  const folder = mkdtempSync(join(tmpdir(), 'kontor-lock-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  it('F8 is owned by one living process, and can be locked by another after that was killed', async () => {
    const code = `import { lockFolder } from ${JSON.stringify(new URL('folder-lock.ts', import.meta.url).href)};
      lockFolder(${JSON.stringify(folder)}); console.log('locked'); setInterval(() => {}, 1000);`;
    const owner = spawn(process.execPath, ['--input-type=module', '-e', code], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    onTestFinished(() => void owner.kill('SIGKILL'));
    await once(owner.stdout, 'data');
    expect(() => lockFolder(folder)).toThrow(/wird bereits von einem laufenden Kontor benutzt/);
    const gone = once(owner, 'exit');
    owner.kill('SIGKILL');
    await gone;
    const unlock = lockFolder(folder);
    expect(isLocked(folder)).toBe(true);
    unlock();
    expect(isLocked(folder)).toBe(false);
  });

  it("F8 is not locked by another process that has the owner's pid", () => {
    writeFileSync(join(folder, 'kontor.lock'), `${process.pid} 1`);
    lockFolder(folder)();
    expect(isLocked(folder)).toBe(false);
  });

  it('F8 of several processes that start at the same moment after a crash, one gets it', async () => {
    const begin = Date.now() + 1500;
    const code = `import { lockFolder } from ${JSON.stringify(new URL('folder-lock.ts', import.meta.url).href)};
      while (Date.now() < ${begin});
      const [folders] = [${JSON.stringify(Array.from({ length: 20 }, (_, n) => join(folder, `${n}`)))}];
      const got = folders.map((folder) => { try { lockFolder(folder); return 1; } catch { return 0; } });
      console.log(JSON.stringify(got)); setInterval(() => {}, 1000);`;
    for (let n = 0; n < 20; n++) {
      mkdirSync(join(folder, `${n}`));
      writeFileSync(join(folder, `${n}`, 'kontor.lock'), `${process.pid} 1`);
    }
    const owners = Array.from({ length: 4 }, () =>
      spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: ['ignore', 'pipe', 'inherit'] }),
    );
    onTestFinished(() => owners.forEach((owner) => owner.kill('SIGKILL')));
    const got = await Promise.all(
      owners.map(async ({ stdout }) => {
        const [answer] = await once(stdout, 'data');
        return z.array(z.number()).parse(JSON.parse(String(answer)));
      }),
    );
    const sums = got.reduce((all, one) => all.map((sum, n) => sum + (one[n] ?? 0)));
    expect(sums).toEqual(sums.map(() => 1));
  });
});
