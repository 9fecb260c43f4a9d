import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '#shared/http/api.ts';
import { seeded } from '../../seed/random.ts';
import { clientOf } from '../stages/client.ts';
import { begin, csvOf, sendPiece } from '../stages/feed/pieces.ts';
import { kill, type Program, startProgram } from '../stages/program.ts';

const MB = 1024 ** 2;
const rounds = process.env['CI'] === undefined ? 8 : 4;

describe('kill -9 during a chunked upload', () => {
  let folder: string;
  let program: Program;
  const random = seeded(20261126);
  const client = clientOf(() => program.url);
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kontor-kill-pieces-'));
    program = await startProgram(folder, { NODE_ENV: 'test' });
  });
  afterAll(async () => {
    await kill(program);
    await rm(folder, { recursive: true, force: true });
  });

  it(`acknowledged chunks survive ${rounds} kills at random moments, and the import reads every row of the file`, async () => {
    const file = csvOf(60 * MB);
    const { masterid } = await client.ask(api.createMaster, {}, { name: 'Katalog' });
    const { id: uploadid } = await begin(client, masterid, file, { options: { key: 'sku' } });
    let acknowledged = 0;
    /** Sends as fast as answers come, until the program is killed. */
    const send = async () => {
      try {
        while (acknowledged < file.length) {
          const size = (1 + random.int(3)) * MB;
          const answer = await sendPiece(client, uploadid, file.slice(acknowledged, acknowledged + size), acknowledged);
          if (answer.status !== 200) throw new Error(JSON.stringify(answer));
          acknowledged = answer.received;
        }
      } catch (error) {
        if (!(error instanceof TypeError)) throw error;
      }
    };
    const survived: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const before = acknowledged;
      const sending = send();
      // The first kill may come before any piece. Later ones wait for one: on a slow machine none may have arrived within these
      // milliseconds.
      if (round > 0 && before < file.length)
        await expect.poll(() => acknowledged, { interval: 2, timeout: 60_000 }).toBeGreaterThan(before);
      await wait(random.int(250));
      await kill(program);
      await sending;
      program = await startProgram(folder, { NODE_ENV: 'test' });
      const { received } = await client.ask(api.importUpload, { uploadid });
      // The piece in progress may have been stored although its answer was never read; no acknowledged one is missing.
      expect(received).toBeGreaterThanOrEqual(acknowledged);
      expect(received - acknowledged).toBeLessThanOrEqual(3 * MB);
      survived.push(received);
      acknowledged = received;
    }
    expect(new Set(survived).size).toBeGreaterThan(rounds / 2);
    await send();
    const { runid } = await client.ask(api.finishImportUpload, { uploadid });
    // If it is killed while joining or reading the pieces, it starts again with the same pieces.
    await wait(random.int(1500));
    await kill(program);
    program = await startProgram(folder, { NODE_ENV: 'test' });
    const items = file.toString().split('\n').length - 2;
    expect(await client.ended(runid, 120)).toMatchObject({ state: 'done', rowsIn: items, accepted: items });
  }, 400_000);
});
