import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DifferenceSettings } from '#shared/difference/schema.ts';
import { api } from '#shared/http/api.ts';
import { pathOf } from '#shared/http/call.ts';
import { Person as Recipient } from '#shared/orders/persons.ts';
import { makeReset } from '#auth/links.ts';
import { hashPassword } from '#auth/passwords/passwords.ts';
import { systemClock } from '#platform/clock.ts';
import { pg } from '#platform/db/pg.ts';
import { randomIds } from '#platform/ids.ts';
import { addMember } from '../../stages/add-member.ts';
import { importFile, masterWith, runExport, settled, testKontor, type TestKontor } from '../../stages/kontor.ts';
import { Visitor } from '../../stages/http/visitor.ts';
import { orderChannel, takeOrders } from '../../stages/orders/order-samples.ts';

const json = (body: unknown) => ({ body: JSON.stringify(body), headers: { 'content-type': 'application/json' } });
const csv = (prices: readonly number[]) => `sku;preis\n${prices.map((price, n) => `A-${n};${price}`).join('\n')}\n`;

/** Two changes that meet inside their transactions. An embedded database has one connection, so there they never meet. */
describe.skipIf(process.env['KONTOR_TEST_DATABASE'] !== 'postgres')('changes at the same moment', () => {
  let kontor: TestKontor;
  beforeAll(async () => {
    kontor = await testKontor();
  });
  afterAll(() => kontor.close());

  const waiting = async (type: 'advisory' | 'transactionid' | 'tuple'): Promise<number> => {
    const { rows } = await kontor.database.system((trx) =>
      // Other test files use other databases of the same server.
      pg<{ n: number }>`select count(*)::int as n from pg_locks join pg_stat_activity a using (pid)
        where not granted and locktype = ${type} and a.datname = current_database()`.execute(trx),
    );
    return rows[0]?.n ?? 0;
  };

  /**
   * Starts `first`, holds its transaction before it writes a row (`event on table`), and lets it go on when `second` has ended or
   * waits for it. Returns both results.
   */
  const meeting = async <A, B>(
    { event, table, when = 'true' }: { event: string; table: string; when?: string },
    first: () => Promise<A>,
    second: () => Promise<B>,
  ): Promise<[A, B]> => {
    await kontor.database.system(async (trx) => {
      await pg`create or replace function hold() returns trigger language plpgsql as
        'begin perform pg_advisory_xact_lock(4711); return coalesce(new, old); end'`.execute(trx);
      await pg`create trigger hold before ${pg.raw(event)} on ${pg.table(table)} for each row when (${pg.raw(when)})
        execute function hold()`.execute(trx);
    });
    const { promise: over, resolve: end } = Promise.withResolvers<void>();
    const { promise: held, resolve: hold } = Promise.withResolvers<void>();
    const holder = kontor.database.system(async (trx) => {
      await pg`select pg_advisory_xact_lock(4711)`.execute(trx);
      hold();
      await over;
    });
    try {
      await Promise.race([held, holder]);
      const a = first();
      await expect.poll(() => waiting('advisory')).toBe(1);
      let ended = false;
      const b = second().finally(() => (ended = true));
      // `first` waits for our lock itself.
      await expect
        .poll(async () => ended || (await waiting('transactionid')) > 0 || (await waiting('advisory')) > 1)
        .toBe(true);
      end();
      return await Promise.all([a, b]);
    } finally {
      end();
      await holder;
      await kontor.database.system((trx) => pg`drop trigger hold on ${pg.table(table)}`.execute(trx));
    }
  };

  it('REP-19 an account that is deleted while it is saved does not come back', async () => {
    const masterid = await masterWith(kontor, 'sku;titel\nA-1;Hammer');
    const body = { name: 'Amazon', sellerId: 'A3WIR', settings: {} };
    const { id } = await kontor.ask(api.createMarketplaceAccount, {
      body: { ...body, masterid, marketplace: 'A1PA6795UKMFR9' },
    });
    const [, saved] = await meeting(
      { event: 'delete', table: 'marketplace_accounts' },
      () => kontor.ask(api.deleteMarketplaceAccount, { params: { id } }),
      () => kontor.raw(pathOf(api.saveMarketplaceAccount, { id }), { method: 'POST', ...json(body) }),
    );
    expect(saved.status).toBe(404);
    expect((await kontor.ask(api.marketplaceAccounts)).accounts).toEqual([]);
  });

  it('DIF-03 of two held files released at once, the older one is never served after the newer one', async () => {
    const { id, load } = await exported(false);
    const difference = DifferenceSettings.parse({
      action_on_difference: 'block_send',
      neg_difference: 10,
      pos_difference: 0,
    });
    await kontor.ask(api.saveExportDifference, { params: { id }, body: difference });
    const held: string[] = [];
    for (const price of [2, 3]) {
      await load([price, 1, 1]);
      const { run } = await runExport(kontor, id);
      expect(run.state).toBe('blocked');
      held.push(run.runid);
    }
    const release = (runid: string) =>
      kontor.raw(pathOf(api.releaseRun, { runid }), { method: 'POST', ...json({ reason: 'geprüft' }) });
    const [newer, older] = await meeting(
      { event: 'update', table: 'exports' },
      () => release(held[1] ?? ''),
      () => release(held[0] ?? ''),
    );
    expect([newer.status, older.status]).toEqual([200, 409]);
    const files = await kontor.ask(api.exportFiles, { params: { id } });
    expect(files.find(({ live }) => live)?.number).toBe(3);
  });

  it.each([
    ['with changes', [1, 2, 3, 1], ['A-1;2', 'A-2;3']],
    ['without changes', [1, 2, 1, 1], ['A-1;2']],
  ])('a run %s starts anew if another file was put in force meanwhile', async (_what, prices, delivered) => {
    const { id, load } = await exported(true);
    const { deltaPath } = await kontor.ask(api.export, { params: { id } });
    await load([1, 2, 1, 1]);
    const { runid } = await kontor.ask(api.runExport, { params: { id }, query: { full: 1 } });
    await settled(kontor, runid);
    await load(prices);
    const [run] = await meeting(
      { event: 'update', table: 'jobs', when: `new.state = 'done'` },
      async () => settled(kontor, (await kontor.ask(api.runExport, { params: { id } })).runid),
      () => kontor.ask(api.publishFile, { params: { id, number: 1 }, body: { reason: 'Preise waren falsch' } }),
    );
    expect(run).toMatchObject({ state: 'done', message: 'Nur Änderungen seit Datei 1.' });
    const changes = await (await kontor.raw(deltaPath ?? '', { as: null })).text();
    expect(changes.trim().split(/\r?\n/).slice(1).toSorted()).toEqual(delivered);
  });

  it.each([
    ['a file', 'exports', 'export_files', 'export'],
    ['a state of the catalogue', 'masters', 'snapshots', 'master'],
  ] as const)('DIF-03 %s that maintenance is removing cannot be put in force', async (_what, owners, states, owner) => {
    const { id: exportid, masterid, load } = await exported(false);
    await load([2, 2, 2, 2]);
    await runExport(kontor, exportid);
    const id = owner === 'export' ? exportid : masterid;
    const maintenance = () =>
      kontor.database.system(async (trx) => {
        await pg`select id from ${pg.table(owners)} where id = ${id} for update`.execute(trx);
        await pg`update ${pg.table(states)} set gone_at = now() where ${pg.ref(owner)} = ${id} and number = 1`.execute(
          trx,
        );
      });
    const publish = () => {
      const path =
        owner === 'export'
          ? pathOf(api.publishFile, { id, number: 1 })
          : pathOf(api.makeSnapshotLive, { masterid, number: 1 });
      return kontor.raw(path, { method: 'POST', ...json({ reason: 'Preise waren falsch' }) });
    };
    const [, published] = await meeting({ event: 'update', table: states }, maintenance, publish);
    expect(published.status).toBe(404);
  });

  it.each([
    ['a restored export is not marked for deletion', 'restored', 'purged'],
    ['an export that is being deleted is not restored', 'purged', 'restored'],
  ] as const)('of two people at the trash the second is refused: %s', async (_what, early, late) => {
    const { id } = await exported(false);
    const { name } = (await kontor.ask(api.export, { params: { id } })).settings;
    await kontor.ask(api.trashExport, { params: { id }, body: { name } });
    const change = {
      restored: () => kontor.raw(pathOf(api.restoreTrashed, { id }), { method: 'POST', ...json({}) }),
      purged: () => kontor.raw(pathOf(api.purgeTrashed, { id }), { method: 'POST', ...json({ name }) }),
    };
    const [first, second] = await meeting({ event: 'update', table: 'exports' }, change[early], change[late]);
    expect([first.status, second.status]).toEqual([200, 404]);
  });

  it('a target list that arrives while its export is deleted is not stored', async () => {
    const { id } = await exported(false);
    const { name } = (await kontor.ask(api.export, { params: { id } })).settings;
    const upload = () => {
      const form = new FormData();
      form.set('file', new Blob(['1 - Werkzeug\n']), 'liste.txt');
      return kontor.raw(pathOf(api.uploadTargets, { id, table: 'categories' }), { method: 'POST', body: form });
    };
    const [, uploaded] = await meeting(
      { event: 'update', table: 'exports' },
      () => kontor.ask(api.trashExport, { params: { id }, body: { name } }),
      upload,
    );
    expect(uploaded.status).toBe(404);
  });

  it('two archives of a company ordered at once are one', async () => {
    const order = () => kontor.raw(pathOf(api.exportCompany), { method: 'POST' });
    const [first, second] = await meeting({ event: 'insert', table: 'jobs' }, order, order);
    expect([first.status, second.status]).toEqual([200, 409]);
  });

  it('an invitation that is withdrawn while it is sent again does not come back', async () => {
    await kontor.ask(api.invite, { body: { email: 'neu@beispiel.de', role: 'viewer' } });
    const [invited] = await kontor.ask(api.invitations);
    const id = invited?.id ?? '';
    const change = (call: typeof api.withdrawInvitation | typeof api.resendInvitation) => () =>
      kontor.raw(pathOf(call, { id }), { method: call.method });
    const [withdrawn, sent] = await meeting(
      { event: 'delete', table: 'invitations' },
      change(api.withdrawInvitation),
      change(api.resendInvitation),
    );
    expect([withdrawn.status, sent.status]).toEqual([200, 404]);
    expect(await kontor.ask(api.invitations)).toEqual([]);
  });

  /** A member whose password is changed while `other` happens, between the check of the former password and the storing. */
  const changingPassword = async (other: (person: Person) => Promise<unknown>) => {
    const person = { name: 'Jo', email: `jo${++people}@beispiel.de`, password: 'lampe-wolke-trecker' };
    const { id } = await addMember(kontor, { ...person, role: 'editor' });
    const session = new Visitor(kontor);
    await session.signIn(person);
    const body = { current: person.password, password: 'regen-kiste-fenster' };
    const [changed] = await meeting(
      { event: 'delete', table: 'sign_in_tries', when: `old.key like 'proof:%'` },
      () => session.outcome(api.changePassword, { body }),
      () => other({ ...person, id }),
    );
    const signIn = async (password: string) => (await new Visitor(kontor).signIn({ ...person, password })).status;
    return { changed, signIn };
  };
  type Person = { id: string; email: string; password: string };
  let people = 0;

  it('T15 the reset wins when a session of the same user changes the password at the same moment', async () => {
    const { changed, signIn } = await changingPassword(async ({ id }) => {
      const token = await makeReset({ ...kontor, clock: systemClock, ids: randomIds }, id, 30);
      await new Visitor(kontor).ask(api.resetPassword, { body: { token, password: 'wolke-anker-birne' } });
    });
    expect(changed).toEqual([409, 'password_set_meanwhile']);
    expect([await signIn('regen-kiste-fenster'), await signIn('wolke-anker-birne')]).toEqual([401, 200]);
  });

  it('a password is changed although a sign-in replaces its older hash in that moment', async () => {
    const { changed, signIn } = await changingPassword(async ({ id, email, password }) => {
      const users = kontor.database.kysely;
      const older = await hashPassword(password, 'scrypt');
      await users.updateTable('user').set({ password_hash: older }).where('id', '=', id).execute();
      await new Visitor(kontor).signIn({ email, password });
      const { password_hash: renewed } = await users
        .selectFrom('user')
        .select('password_hash')
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      expect(renewed).toMatch(/^\$argon2id\$/);
    });
    expect(changed).toEqual([200, 'ok']);
    expect(await signIn('regen-kiste-fenster')).toBe(200);
  });

  it('an address that arrives while the personal data of its order is erased is erased too', async () => {
    const channel = await orderChannel(kontor, 'Laden');
    const hand = (city: string, changed: number) =>
      takeOrders(kontor, channel, [
        {
          orderid: 'P-1',
          changed_at: `2026-11-20T1${changed}:00:00Z`,
          persons: { delivery: Recipient.parse({ name: 'Kanari Vogel', lines: ['Kanariweg 1'], city, country: 'DE' }) },
          lines: [{ sku: 'A-1' }],
        },
      ]);
    await hand('Berlin', 1);
    await meeting(
      { event: 'insert', table: 'order_persons' },
      () => hand('Bonn', 2),
      () => kontor.ask(api.erasePersons, { params: { orderid: 'P-1' } }),
    );
    expect((await kontor.ask(api.order, { params: { orderid: 'P-1' } })).persons_until).toBeNull();
  });

  /** A catalogue of four items at a price of 1, with an export, of changes if wanted, that ran once. */
  async function exported(active: boolean) {
    const masterid = await masterWith(kontor, csv([1, 1, 1, 1]), { key: 'sku' });
    const body = { name: 'Kanal', format: { kind: 'csv' as const } };
    const { id } = await kontor.ask(api.createExport, { params: { masterid }, body });
    const { settings } = await kontor.ask(api.export, { params: { id } });
    await kontor.ask(api.saveExport, {
      params: { id },
      body: { ...settings, delta: { active, removed: 'zero' } },
    });
    await runExport(kontor, id);
    return {
      id,
      masterid,
      load: (prices: number[]) => importFile(kontor, masterid, { name: 'a.csv', bytes: csv(prices) }),
    };
  }
});
