import { monitorEventLoopDelay } from 'node:perf_hooks';
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
  const delay = monitorEventLoopDelay();
  delay.enable();
  const [answer] = await kontor.ask(api.suggestTargets, {
    params: { id },
    body: { table: 'categories', values: [{ value: 'Haus > Hammer Modell7' }, { value: 'Hammar' }] },
  });
  delay.disable();
  expect(answer?.suggestions[0]?.name).toBe('Haus & Garten > Teil 7 > Hammer Modell7');
  expect(delay.max / 1e6).toBeLessThan(1500);
}, 60_000);
