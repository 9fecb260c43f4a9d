import { execFile } from 'node:child_process';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { generateSource } from 'oazapfts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { api } from '#shared/http/api.ts';
import type { Call } from '#shared/http/call.ts';
import { testKontor, token, type TestKontor } from '../../stages/kontor.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** A program as others would write it with the generated client: one call of each method, of a form, and one that fails. */
const program = `
import { HttpError } from '@oazapfts/runtime';
import * as client from './client.ts';

client.defaults.baseUrl = process.argv[2] ?? '';
client.defaults.headers = { authorization: 'Bearer ' + process.argv[3] };

const view = { table: 'orders', query: '' } as const;
const { id } = await client.createView({ ...view, name: 'Erzeugter Client' });
const names: string[] = (await client.savedViews('orders')).views.map(({ name }) => name);
const { ok } = await client.deleteView(id);
const again = await client.deleteView(id).catch((error: unknown) => error);

const { masterid } = await client.createMaster({ name: 'Katalog' });
const { runid } = await client.postApiMastersByMasteridImport(masterid, { file: new Blob(['Nr;Name\\n1;Hose']) });

console.log(JSON.stringify({ names, ok, again: again instanceof HttpError ? again.status : 0, runid }));
`;

/** A wrong type must be a compile error: the client's types are not `any`. */
const wrongProgram = `
import * as client from './client.ts';
await client.createView({ name: 'x', table: 'king', query: '' });
`;

const compilerOptions = {
  target: 'ES2024',
  lib: ['ES2024', 'DOM'],
  module: 'nodenext',
  types: ['node'],
  strict: true,
  noEmit: true,
  allowImportingTsExtensions: true,
  skipLibCheck: true,
};

let kontor: TestKontor;
let folder: string;

beforeAll(async () => {
  kontor = await testKontor();
  folder = await mkdtemp(join(tmpdir(), 'kontor-client-'));
  // A separate program, with the client's runtime installed.
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
});

afterAll(async () => {
  await kontor.close();
  await rm(folder, { recursive: true, force: true });
});

/** Runs a script with this Node; returns its output and exit code. */
async function node(...args: string[]): Promise<{ code: number; output: string }> {
  try {
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: folder });
    return { code: 0, output: stdout };
  } catch (error) {
    const failed = z.object({ code: z.number(), stdout: z.string(), stderr: z.string() }).parse(error);
    return { code: failed.code, output: failed.stdout + failed.stderr };
  }
}

const typeCheck = (file: string) =>
  writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: [file] })).then(() =>
    node(join(root, 'node_modules', 'typescript', 'bin', 'tsc'), '-p', folder),
  );

describe('the document at /api/docs/json', () => {
  it('generates a typed client that works against the running program with every HTTP method of the API', async () => {
    await writeFile(join(folder, 'document.json'), await (await kontor.raw('/api/docs/json', { as: null })).text());
    await writeFile(
      join(folder, 'client.ts'),
      await generateSource(join(folder, 'document.json'), { optimistic: true }),
    );
    await writeFile(join(folder, 'program.ts'), program);
    await writeFile(join(folder, 'wrong.ts'), wrongProgram);

    expect(await typeCheck('program.ts')).toEqual({ code: 0, output: '' });
    const wrong = await typeCheck('wrong.ts');
    expect(wrong.code).not.toBe(0);
    expect(wrong.output).toContain('"king"');

    const { code, output } = await node('program.ts', kontor.url, token);
    expect(code, output).toBe(0);
    expect(JSON.parse(output)).toEqual({
      names: expect.arrayContaining(['Erzeugter Client']) as unknown,
      ok: true,
      again: 404,
      runid: expect.any(String) as unknown,
    });
    // Another method needs a call in the program above.
    const methods = new Set(Object.values<Call>(api).map(({ method }) => method));
    expect([...methods].toSorted()).toEqual(['DELETE', 'GET', 'POST']);
  });
});
