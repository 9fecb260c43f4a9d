import { expect, it, onTestFinished } from 'vitest';
import { api } from '#shared/http/api.ts';
import { loadList } from '../../stages/feed/assignment-page.ts';
import { masterWith, testKontor } from '../../stages/kontor.ts';

it('T22 suggestions from a very large list leave the server free to answer others', async () => {
  const kontor = await testKontor();
  onTestFinished(() => kontor.close());
  const masterid = await masterWith(kontor, 'sku;titel\nA-1;Hammer\n');
  const { id } = await kontor.ask(api.createExport, { params: { masterid }, body: { name: 'Kanal' } });
  const lines = Array.from({ length: 100_000 }, (_, n) => `${n};Haus & Garten > Teil ${n % 500} > Hammer Modell${n}\n`);
  await loadList(kontor, id, 'categories', `id;pfad\n${lines.join('')}`);
  const before = { here: process.threadCpuUsage(), all: process.cpuUsage() };
  const [answer] = await kontor.ask(api.suggestTargets, {
    params: { id },
    body: { table: 'categories', values: [{ value: 'Haus > Hammer Modell7' }, { value: 'Hammar' }] },
  });
  const [here, all] = [process.threadCpuUsage(before.here), process.cpuUsage(before.all)].map(
    ({ user, system }) => user + system,
  );
  expect(answer?.suggestions[0]?.name).toBe('Haus & Garten > Teil 7 > Hammer Modell7');
  // Shares of processor time, because a busy machine makes every duration longer. Parsing the list here would be a tenth.
  expect((here ?? 1) / (all ?? 1)).toBeLessThan(0.05);
}, 60_000);
