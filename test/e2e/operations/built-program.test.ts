import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '#shared/http/api.ts';
import { pathOf } from '#shared/http/call.ts';
import { ensureBuild } from '../../../scripts/bundle/build.ts';
import { nodeOptions, processEnvironment } from '../../../scripts/process-options.ts';
import { clientOf } from '../../stages/client.ts';
import { admin, databaseTemplate, token } from '../../stages/kontor.ts';
import { latePackages, loadedPackages } from '../../stages/loaded-packages.ts';
import { rule, set, when } from '../../stages/feed/rules.ts';

const csv = ['sku;titel;marke', 'A-1;Bohrer;BOSCH', 'A-2;Säge;bosch', 'A-3;Hammer;Fjord', ''].join('\n');
const root = fileURLToPath(new URL('../../..', import.meta.url));

describe('the built program', () => {
  const folder = mkdtempSync(join(tmpdir(), 'kontor-built-'));
  const program: { url: string; process?: ChildProcess } = { url: '' };
  const { raw, ask, upload, ended } = clientOf(() => program.url);
  let masterid: string;
  let id: string;

  beforeAll(async () => {
    if (databaseTemplate !== undefined) cpSync(databaseTemplate, join(folder, 'database'), { recursive: true });
    const child = spawn(process.execPath, [...nodeOptions, await ensureBuild(root)], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: {
        ...process.env,
        ...processEnvironment,
        PORT: '0',
        KONTOR_DATA: folder,
        KONTOR_DEMO: '0',
        KONTOR_LOG: 'error',
        KONTOR_ADMIN_EMAIL: admin.email,
        KONTOR_ADMIN_PASSWORD: admin.password,
        KONTOR_API_TOKEN: token,
      },
    });
    program.process = child;
    let output = '';
    for await (const text of child.stdout.setEncoding('utf8')) {
      output += String(text);
      program.url = output.match(/Kontor läuft: (\S+)/)?.[1] ?? '';
      if (program.url !== '') break;
    }
    ({ masterid } = await ask(api.createMaster, {}, { name: 'Katalog' }));
  });
  afterAll(async () => {
    const { process: child } = program;
    if (child?.exitCode === null) {
      child.kill();
      await once(child, 'exit');
    }
    rmSync(folder, { recursive: true, force: true });
  });

  it('has loaded no library at rest that only some work needs', async () => {
    const folder = dirname(await ensureBuild(root));
    const main = readdirSync(folder).find((name) => /^main-.*\.js$/.test(name));
    const packages = loadedPackages(join(folder, main ?? ''));
    expect(packages).toContain('fastify');
    expect(packages.filter((name) => latePackages.includes(name))).toEqual([]);
  });

  it('serves its pages', async () => {
    const page = await raw('/anmelden');
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('Anmelden')]);
  });

  it('reads a catalogue in a process of its own and writes an export', async () => {
    expect(await ended(await upload(masterid, csv))).toMatchObject({ state: 'done' });
    ({ id } = await ask(api.createExport, { masterid }, { name: 'Export', format: { kind: 'jsonl' } }));
    const { runid } = await ask(api.runExport, { id });
    expect(await ended(runid)).toMatchObject({ state: 'done' });
    const file = await raw(pathOf(api.exportFile, { id }));
    expect((await file.text()).split('\n')).toHaveLength(4);
  });

  it('answers questions about rules, their impact and tables in the DuckDB process', async () => {
    const brand = rule('Marke', [when('marke', 'is_equal', 'bosch')], [set('titel', 'Bosch')]);
    const effect = await ask(api.ruleEffect, { masterid }, { data: brand.id, rules: [brand] });
    expect(effect).toMatchObject({ count: { pre: 3, post: 3, diff: 2 } });
    const impact = await ask(api.ruleImpact, { masterid }, { rules: [brand] });
    expect(impact.exports).toHaveLength(1);
    const counts = await ask(api.countRows, { id }, { table: 'brands', rows: rows(1) });
    expect(counts).toMatchObject({ total: 3, assigned: 1 });
  });

  it('reads a large body and compares large states in threads of their own', async () => {
    await ask(api.saveBrands, { id }, rows(3000));
    const other = rows(3000).map((row, index) => (index === 0 ? { ...row, target: 'anders' } : row));
    await ask(api.saveBrands, { id }, other);
    const place = { subject: 'brands', scope: `export:${id}` };
    const { changes } = await ask(api.revisionChanges, { ...place, number: '2' });
    expect(changes.join(' ')).toContain('anders');
  });

  it('reads large lists and files of orders in threads of their own', async () => {
    const send = async (path: string, lines: string[]) => {
      const body = new FormData();
      body.set('file', new Blob([lines.join('\n')]), 'datei.csv');
      return (await raw(path, { method: 'POST', body })).json();
    };
    const numbers = Array.from({ length: 3000 }, (_, n) => n);
    const list = ['id;pfad', ...numbers.map((n) => `${n};Haus > ${'x'.repeat(80)} ${n}`)];
    expect(await send(pathOf(api.uploadTargets, { id, table: 'brands' }), list)).toMatchObject({ entries: 3000 });
    const orders = numbers.slice(0, 10).map((n) => `B-${n};20.11.2026;A-1;1;${'x'.repeat(25_000)}`);
    const imported = await send(`${api.importOrders.path}?channel=${id}`, [
      'Bestellnummer;Datum;SKU;Menge;Notiz',
      ...orders,
    ]);
    expect(imported).toMatchObject({ new: 10 });
  });

  /** Rows of the brand mapping; the first one is for a brand of the catalogue. */
  const rows = (count: number) =>
    Array.from({ length: count }, (_, index) => ({
      id: String(index),
      field: [{ type: '_field', value: 'marke', caption: 'marke' }],
      filter: 'is_equal',
      value: index === 0 ? 'Fjord' : `Wert ${index} ${'x'.repeat(60)}`,
      target: String(index),
      catname: '',
      active: true,
    }));
});
