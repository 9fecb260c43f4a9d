import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pg } from '#platform/db/pg.ts';
import { api } from '#shared/http/api.ts';
import { Person } from '#shared/orders/persons.ts';
import { admin, testDatabaseUrl, testKontor, type TestKontor, token } from '../../stages/kontor.ts';
import { orderChannel, takeOrders } from '../../stages/orders/order-samples.ts';
import { plantedPerson } from '../../stages/orders/planted-persons.ts';

const order = { orderid: 'P-1', lines: [{ sku: 'A-1' }] };
const { name } = plantedPerson(1);

/** Each test stops a program on the same data, which has left a person of an order where none may be. */
describe('the check after each test for leftover personal data', () => {
  let folder: string;
  let databaseUrl: string | undefined;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kontor-watch-'));
    databaseUrl = await testDatabaseUrl();
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  /** Returns the error with which stopping the program fails; '' if nothing is found. */
  async function refusal(plant: (kontor: TestKontor, company: string) => Promise<unknown>): Promise<string> {
    const kontor = await testKontor({}, { dataFolder: folder, ...(databaseUrl === undefined ? {} : { databaseUrl }) });
    try {
      await plant(kontor, (await kontor.ask(api.session)).company.id);
    } catch (error) {
      await kontor.close();
      throw error;
    }
    return kontor.close().then(
      () => '',
      (error: unknown) => String(error),
    );
  }

  it('passes when persons are only in sealed columns and in an archive the company requested', async () => {
    const found = await refusal(async (kontor) => {
      const persons = { buyer: plantedPerson(1), delivery: plantedPerson(2) };
      await takeOrders(kontor, await orderChannel(kontor, 'Laden'), [{ ...order, persons }]);
      await kontor.ask(api.exportCompany);
      await expect.poll(async () => (await kontor.ask(api.companyData)).export?.state).toBe('done');
    });
    expect(found).toBe('');
  });

  it('fails for persons in the log, a column or a file, as text, JSON, bytes or base64', async () => {
    const note = Buffer.from(`Lieferung an ${name}`);
    const found = await refusal(async ({ database, log, dataFolder }, company) => {
      log.debug({ to: name }, 'sent');
      await writeFile(join(dataFolder, 'liste.csv'), `1;${note.toString('base64')}`);
      await database.company(company, (trx) => trx.updateTable('orders').set({ raw_state: name }).execute());
      // No table has a bytea column yet, and the only JSON column is about sellers.
      await pg`create table probe (body bytea, facts jsonb)`.execute(database.kysely);
      // A table that Kysely does not know.
      await pg`insert into probe values (${note}, null), (null, ${JSON.stringify({ to: [name] })})`.execute(
        database.kysely,
      );
    });
    expect(found).toContain('Personal data of orders, or secrets, found unencrypted');
    expect(found).toMatch(/log line .*"to":"Kanari Vogel1","msg":"sent"/);
    for (const column of ['orders.raw_state', 'probe.body', 'probe.facts']) expect(found).toContain(`column ${column}`);
    expect(found).toContain('file liste.csv');
  });

  it('T17 T18 fails for a password or token in the log, a column or a file', async () => {
    const found = await refusal(async ({ database, log, dataFolder }, company) => {
      log.debug({ authorization: `Bearer ${token}` }, 'asked');
      await writeFile(join(dataFolder, 'merker.txt'), admin.password);
      await database.company(company, (trx) => trx.updateTable('orders').set({ raw_state: admin.password }).execute());
    });
    expect(found).toMatch(/log line .*"msg":"asked"/);
    expect(found).toContain('column orders.raw_state');
    expect(found).toContain('file merker.txt');
  });

  it('fails for an order whose person has no test marker', async () => {
    const found = await refusal(async (kontor) => {
      const buyer = Person.parse({ name: 'Erika Mustermann' });
      await takeOrders(kontor, await orderChannel(kontor, 'Zweiter'), [
        { ...order, orderid: 'P-2', persons: { buyer } },
      ]);
    });
    expect(found).toContain('order P-2 (buyer): a person without the marker, which the checks cannot find');
  });
});
