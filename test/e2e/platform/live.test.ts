import { get, type IncomingMessage } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '#shared/http/api.ts';
import { pathOf } from '#shared/http/call.ts';
import { LiveEvent } from '#shared/live/schema.ts';
import { importFile, masterWith, runExport, settled, testKontor, token, type TestKontor } from '../../stages/kontor.ts';

const csv = `sku;titel\n${Array.from({ length: 20_000 }, (_, index) => `A-${index};Ware ${index}\n`).join('')}`;

type Heard = { events: LiveEvent[]; ids: number[]; status: number; close: () => void };

describe('live status', () => {
  let kontor: TestKontor;
  let masterid: string;
  let id: string;
  beforeAll(async () => {
    kontor = await testKontor({}, { streamLimits: { person: 1000, company: 1000 } });
    masterid = await masterWith(kontor, csv, { key: 'sku' });
    ({ id } = await kontor.ask(api.createExport, { params: { masterid }, body: { name: 'Kanal' } }));
  });
  afterAll(() => kontor.close());

  const listen = async (projectId: string, headers: Record<string, string> = {}): Promise<Heard> => {
    // Each stream has a connection of its own, as in browsers.
    const asked = get(kontor.url + pathOf(api.live, { projectId }), {
      agent: false,
      headers: { authorization: `Bearer ${token}`, ...headers },
    });
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      asked.once('response', resolve).once('error', reject);
    });
    const heard: Heard = { events: [], ids: [], status: answer.statusCode ?? 0, close: () => asked.destroy() };
    asked.on('error', () => undefined);
    answer.on('error', () => undefined);
    let text = '';
    answer.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      const parts = text.split('\n\n');
      text = parts.pop() ?? '';
      for (const part of parts) {
        const data = /^data: (.*)$/m.exec(part)?.[1];
        if (data === undefined) continue;
        heard.events.push(LiveEvent.parse(JSON.parse(data)));
        heard.ids.push(Number(/^id: (\d+)$/m.exec(part)?.[1]));
      }
    });
    return heard;
  };
  const ran = (heard: Heard, event: Omit<LiveEvent, 'state'>) =>
    heard.events.filter(({ message, channel }) => message === event.message && channel === event.channel);

  /** The text with which the company's stream begins, for a page that has heard nothing for `age` milliseconds. */
  const begun = async (age: string): Promise<string> => {
    const stop = new AbortController();
    const answer = await kontor.raw(`${api.companyLive.path}?age=${age}`, { signal: stop.signal });
    let text = '';
    const decoder = new TextDecoder();
    for await (const chunk of answer.body ?? []) {
      text += decoder.decode(chunk, { stream: true });
      // What ended comes before what runs.
      if (text.includes('event: running')) break;
    }
    stop.abort();
    return text;
  };

  it('LIV-01 LIV-04 a stream reports an import and a channel while they run and when they end', async () => {
    const heard = await listen(masterid);
    expect(heard.status).toBe(200);
    const importing = importFile(kontor, masterid, { name: 'a.csv', bytes: csv });
    await expect.poll(() => ran(heard, { message: 'import', channel: '' }).length, { timeout: 20_000 }).toBe(2);
    await importing;
    const { runid } = await kontor.ask(api.updateChannel, { params: { channel: id } });
    await settled(kontor, runid);
    await expect
      .poll(() => ran(heard, { message: 'channel', channel: id }).at(-1)?.state, { timeout: 20_000 })
      .toBe('idle');
    expect(ran(heard, { message: 'import', channel: '' }).map(({ state }) => state)).toEqual(['run', 'idle']);
    expect(heard.ids).toEqual(heard.ids.map((_, index) => index + 1));
    heard.close();
  });

  it('LIV-01 LIV-04 an account at a marketplace is a channel like the others', async () => {
    const secrets = { clientId: 'x', clientSecret: 'y', refreshToken: 'z' };
    const { id: account } = await kontor.ask(api.createMarketplaceAccount, {
      body: { settings: secrets, name: 'Konto', sellerId: 'X', masterid, marketplace: 'A1PA6795UKMFR9', active: true },
    });
    const heard = await listen(account);
    const { runid } = await kontor.ask(api.updateChannel, { params: { channel: account } });
    expect(await settled(kontor, runid)).toMatchObject({
      state: 'done',
      message: expect.stringMatching(/noch kein Artikel verkauft/),
    });
    await expect
      .poll(() => ran(heard, { message: 'channel', channel: account }).map(({ state }) => state), { timeout: 20_000 })
      .toEqual(['run', 'idle']);
    heard.close();
    await kontor.ask(api.deleteMarketplaceAccount, { params: { id: account } });
  });

  it('LIV-01 a reconnect with the last event id gets idle events for what no longer runs', async () => {
    const fresh = await listen(id);
    const back = await listen(id, { 'last-event-id': '7' });
    await expect.poll(() => back.events.length, { timeout: 10_000 }).toBe(2);
    expect(back.events).toEqual([
      { message: 'import', channel: '', state: 'idle' },
      { message: 'channel', channel: id, state: 'idle' },
    ]);
    expect(back.ids).toEqual([8, 9]);
    await wait(200);
    expect(fresh.events).toEqual([]);
    fresh.close();
    back.close();
  });

  it('LIV-02 a page that begins to listen gets the runs that ended since its data were loaded', async () => {
    const { run } = await runExport(kontor, id);
    expect(run.state).toBe('done');
    const ended = `data: ${JSON.stringify({ message: 'channel', state: 'idle', channel: id, masterid: '' })}`;
    expect(await begun('60000')).toContain(ended);
    await wait(50);
    expect(await begun('1')).not.toContain(ended);
    for (const age of ['-1', '60001', 'x']) {
      const { status } = await kontor.raw(`${api.companyLive.path}?age=${age}`);
      expect(status, age).toBe(422);
    }
  });

  it('LIV-02 a page that begins to listen learns that a run was held, that the hold was discarded, and that a run failed', async () => {
    const stock = (count: number) =>
      `sku;titel\n${Array.from({ length: count }, (_, n) => `A-${n};Ware ${n}\n`).join('')}`;
    const own = await masterWith(kontor, stock(30), { key: 'sku' });
    const { id: channel } = await kontor.ask(api.createExport, {
      params: { masterid: own },
      body: { name: 'Anhalten' },
    });
    await runExport(kontor, channel);
    const body = { action_on_difference: 'block_send' as const, neg_difference: 10, pos_difference: 0 };
    await kontor.ask(api.saveExportDifference, { params: { id: channel }, body });
    await importFile(kontor, own, { name: 'a.csv', bytes: stock(3) });
    const { run } = await runExport(kontor, channel);
    expect(run.state).toBe('blocked');
    const said = { message: 'channel', state: 'idle', channel, masterid: '' };
    expect(await begun('60000')).toContain(JSON.stringify({ ...said, outcome: 'blocked' }));
    await kontor.ask(api.cancelRun, { params: { runid: run.runid } });
    expect(await begun('60000')).toContain(JSON.stringify({ ...said, outcome: 'discarded' }));
    await importFile(kontor, own, { name: 'kaputt.xlsx', bytes: 'PK\u0003\u0004 keine Mappe' });
    const failed = { message: 'import', state: 'idle', channel: '', masterid: own, outcome: 'failed' };
    expect(await begun('60000')).toContain(JSON.stringify(failed));
  });

  it('LIV-01 a HEAD request to a stream is answered at once and keeps no stream open', async () => {
    for (const path of [pathOf(api.live, { projectId: masterid }), api.companyLive.path]) {
      const answer = await kontor.raw(path, { method: 'HEAD', signal: AbortSignal.timeout(5000) });
      expect([path, answer.status, answer.headers.get('content-type')]).toEqual([
        path,
        200,
        'text/event-stream; charset=utf-8',
      ]);
    }
  });

  it('LIV-01 a stream without a session gets 401, one of another project 404', async () => {
    const stranger = await listen('Zzzzzzzzzzz1');
    expect(stranger.status).toBe(404);
    stranger.close();
    expect((await fetch(kontor.url + pathOf(api.live, { projectId: masterid }))).status).toBe(401);
  });

  it('LIV-01 with a thousand open streams all of them get the end of a run', async () => {
    const all = await Promise.all(Array.from({ length: 1000 }, () => listen(masterid)));
    const { runid } = await kontor.ask(api.updateChannel, { params: { channel: id } });
    await settled(kontor, runid);
    await expect
      .poll(() => all.filter(({ events }) => events.at(-1)?.state === 'idle').length, { timeout: 30_000 })
      .toBe(1000);
    for (const one of all) one.close();
  });

  it('HDR-01 failed and waiting runs are counted in the header until they are read', async () => {
    const before = await kontor.ask(api.header, {});
    expect(before.info).toEqual({ company: 'Meine Firma', active: true });
    const failed = await importFile(kontor, masterid, { name: 'kaputt.xlsx', bytes: 'PK\u0003\u0004 keine Mappe' });
    expect(failed.state).toBe('failed');
    expect((await kontor.ask(api.header, {})).messages.count).toBe(before.messages.count + 1);
    const { notifications } = await kontor.ask(api.notifications, {});
    expect(notifications[0]).toMatchObject({
      event: 'failed',
      title: 'Fehlgeschlagen: Import „Testkatalog“',
      text: failed.message,
      path: `/master/${masterid}/import`,
      read: false,
    });
    await kontor.ask(api.readNotifications, { body: {} });
    expect((await kontor.ask(api.header, {})).messages.count).toBe(0);
  });
});
