import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '#shared/http/api.ts';
import { pathOf } from '#shared/http/call.ts';
import { runExport, testKontor, type TestKontor } from '../../stages/kontor.ts';
import {
  catalogue,
  exportedOnce,
  file,
  importFile,
  numbers,
  row,
  settings,
  twenty,
} from '../../stages/export/twenty-items.ts';

describe('states that are released or put in force again', () => {
  let kontor: TestKontor;
  beforeAll(async () => {
    kontor = await testKontor();
  });
  afterAll(() => kontor.close());

  const master = (csv?: string) => catalogue(kontor, csv);
  const exported = (masterid: string) => exportedOnce(kontor, masterid);

  it('DIF-03 an older file or an older catalogue can be put in force again, with name and reason', async () => {
    const masterid = await master();
    const id = await exported(masterid);
    const old = (await runExport(kontor, id)).text;
    await importFile(kontor, masterid, file(numbers(1, 19).map((number) => row(number, '11,00'))));
    await runExport(kontor, id);
    const files = await kontor.ask(api.exportFiles, { params: { id } });
    expect(files.map(({ number, live }) => [number, live])).toEqual([
      [3, true],
      [2, false],
      [1, false],
    ]);
    await kontor.ask(api.publishFile, { params: { id, number: 2 }, body: { reason: 'Preise waren falsch' } });
    expect(await (await kontor.raw(pathOf(api.exportFile, { id }))).text()).toBe(old);
    await kontor.ask(api.makeSnapshotLive, { params: { masterid, number: 1 }, body: { reason: 'Preise falsch' } });
    expect((await kontor.ask(api.master, { params: { masterid } })).items).toBe(20);
    const noted = async (scope: string) =>
      (await kontor.ask(api.revisions, { params: { subject: 'releases', scope } }))[0];
    const { user } = await kontor.ask(api.session);
    for (const [scope, reason] of [
      [`export:${id}`, 'Preise waren falsch'],
      [`master:${masterid}`, 'Preise falsch'],
    ] as const)
      expect(await noted(scope)).toMatchObject({
        author: user.name,
        changes: [expect.stringContaining(`Begründung: ${reason}`)],
      });
    const missing = await kontor.raw(pathOf(api.publishFile, { id, number: 99 }), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ reason: 'x' }),
    });
    expect(missing.status).toBe(404);
  });

  it('DIF-03 a held-back state takes effect only by its release, and not after it was discarded', async () => {
    const masterid = await master();
    const id = await exported(masterid);
    await kontor.ask(api.saveExportDifference, { params: { id }, body: settings('block_send', 10) });
    const before = (await runExport(kontor, id)).text;
    await kontor.ask(api.saveImportDifference, { params: { masterid }, body: settings('block_send', 30) });
    await importFile(kontor, masterid, file(numbers(1, 15).map((number) => row(number))));
    const { run } = await runExport(kontor, id);
    const stock = await importFile(kontor, masterid, file(numbers(1, 5).map((number) => row(number))));
    expect([run.state, stock.state]).toEqual(['blocked', 'blocked']);
    const files = () => kontor.ask(api.exportFiles, { params: { id } });
    const snapshots = () => kontor.ask(api.snapshots, { params: { masterid } });
    const tried = async () => {
      const [newest] = await files();
      const [imported] = await snapshots();
      const post = (path: string) =>
        kontor.raw(path, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ reason: 'doch' }),
        });
      const answers = [
        await post(pathOf(api.publishFile, { id, number: newest?.number ?? 0 })),
        await post(pathOf(api.makeSnapshotLive, { masterid, number: imported?.number ?? 0 })),
      ];
      const codes = await Promise.all(
        answers.map(async (answer) => ((await answer.json()) as { error: { code: string } }).error.code),
      );
      return { held: [newest?.held, imported?.held], status: answers.map(({ status }) => status), codes };
    };
    expect(await tried()).toEqual({
      held: ['waiting', 'waiting'],
      status: [409, 409],
      codes: ['waits_for_release', 'waits_for_release'],
    });
    await kontor.ask(api.cancelRun, { params: { runid: run.runid } });
    await kontor.ask(api.cancelRun, { params: { runid: stock.runid } });
    expect(await tried()).toMatchObject({ held: ['discarded', 'discarded'], status: [409, 409] });
    expect(await (await kontor.raw(pathOf(api.exportFile, { id }))).text()).toBe(before);
    expect((await kontor.ask(api.master, { params: { masterid } })).items).toBe(15);
    expect((await files()).slice(1).every(({ held }) => held === null)).toBe(true);
  });

  it('DIF-03 a held-back import cannot be released over a newer state that was accepted meanwhile', async () => {
    const masterid = await master();
    await kontor.ask(api.saveImportDifference, { params: { masterid }, body: settings('block_send', 30) });
    const held = await importFile(kontor, masterid, file(numbers(1, 5).map((number) => row(number))));
    await importFile(kontor, masterid, file(numbers(1, 19).map((number) => row(number))));
    const answer = await kontor.raw(pathOf(api.releaseRun, { runid: held.runid }), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ reason: 'doch' }),
    });
    expect([answer.status, await answer.json()]).toMatchObject([409, { error: { code: 'newer_snapshot' } }]);
    expect((await kontor.ask(api.master, { params: { masterid } })).items).toBe(19);
    const { state } = await kontor.ask(api.cancelRun, { params: { runid: held.runid } });
    expect(state).toBe('cancelled');
  });

  it('DIF-03 who decides on a state that another user has decided on is told who, when, and what holds now', async () => {
    const masterid = await master();
    const id = await exported(masterid);
    await kontor.ask(api.saveExportDifference, { params: { id }, body: settings('block_send', 10) });
    await kontor.ask(api.saveImportDifference, { params: { masterid }, body: settings('block_send', 10) });
    const few = () => importFile(kontor, masterid, file(numbers(1, 15).map((number) => row(number))));
    const { user } = await kontor.ask(api.session);
    const release = (runid: string) =>
      kontor.raw(pathOf(api.releaseRun, { runid }), {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ reason: 'Sortiment gekürzt' }),
      });
    const discard = (runid: string) => kontor.raw(pathOf(api.cancelRun, { runid }), { method: 'POST' });
    const refused = async (answer: Response) => {
      const { error } = (await answer.json()) as { error?: { code: string; message: string } };
      return [answer.status, error?.code, error?.message.replace(/\d\d\.\d\d\.\d{4}, \d\d:\d\d/, 'ZEIT')];
    };

    const discarded = await few();
    await discard(discarded.runid);
    for (const decide of [release, discard])
      expect(await refused(await decide(discarded.runid))).toEqual([
        409,
        'not_blocked',
        `Über diesen Stand (Nummer 2) ist schon entschieden, am ZEIT: „Verworfen von ${user.name}.“ Es gilt jetzt Stand 1. Wird der verworfene doch gebraucht, importieren Sie seine Datei bitte noch einmal.`,
      ]);

    const released = await few();
    await release(released.runid);
    expect(await refused(await discard(released.runid))).toEqual([
      409,
      'not_blocked',
      `Über diesen Stand (Nummer 3) ist schon entschieden, am ZEIT: „Freigegeben von ${user.name}: Sortiment gekürzt“ Es gilt jetzt Stand 3. Soll ein anderer gelten, setzen Sie ihn unter „Aufbewahrte Stände“ wieder in Kraft.`,
    ]);

    const { run } = await runExport(kontor, id);
    expect(run.state).toBe('blocked');
    await release(run.runid);
    expect(await refused(await discard(run.runid))).toEqual([
      409,
      'not_blocked',
      `Über diesen Stand (Nummer 2) ist schon entschieden, am ZEIT: „Freigegeben von ${user.name}: Sortiment gekürzt“ Es gilt jetzt Datei 2. Soll eine andere gelten, liefern Sie sie unter „Aufbewahrte Dateien“ wieder aus.`,
    ]);
  });

  it('DIF-03 the notification of a held state is read once it was decided on, and says how', async () => {
    const masterid = await master();
    await kontor.ask(api.saveImportDifference, { params: { masterid }, body: settings('block_send', 10) });
    const held = async () => {
      const { runid } = await importFile(kontor, masterid, file(numbers(1, 15).map((number) => row(number))));
      const told = async () => {
        const { notifications } = await kontor.ask(api.notifications, { query: { limit: 100 } });
        return notifications.find(({ id }) => id === `${runid}-blocked`);
      };
      expect(await told()).toMatchObject({ read: false });
      return { params: { runid }, told };
    };
    const [first, second] = [await held(), await held()];
    await kontor.ask(api.cancelRun, first);
    expect(await first.told()).toMatchObject({
      read: true,
      text: expect.stringMatching(/ Entschieden: Verworfen von .+\.$/) as string,
    });
    expect(await second.told()).toMatchObject({ read: false });
    const third = await held();
    await kontor.ask(api.releaseRun, { ...third, body: { reason: 'Sortiment gekürzt' } });
    const settled = (beginning: string) => ({
      read: true,
      text: expect.stringMatching(new RegExp(` ${beginning}: Freigegeben von [^:]+: Sortiment gekürzt$`)) as string,
    });
    expect(await third.told()).toMatchObject(settled('Entschieden'));
    // The older state can no longer be released; a later release does not concern it.
    const older = settled('Überholt, denn ein neuerer Stand gilt');
    expect(await second.told()).toMatchObject(older);
    const { runid } = await importFile(kontor, masterid, file(numbers(1, 5).map((number) => row(number))));
    await kontor.ask(api.releaseRun, { params: { runid }, body: { reason: 'Noch weniger' } });
    expect(await second.told()).toMatchObject(older);
  });

  it('a run that has ended by itself answers a late cancellation with its end', async () => {
    const masterid = await master();
    const run = await importFile(kontor, masterid, twenty);
    expect(await kontor.ask(api.cancelRun, { params: { runid: run.runid } })).toMatchObject({ state: 'done' });
  });
});
