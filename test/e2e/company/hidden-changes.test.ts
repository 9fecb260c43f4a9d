import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '#shared/http/api.ts';
import { masterWith, testKontor, type TestKontor } from '../../stages/kontor.ts';

describe('history of what a document does not contain', () => {
  let kontor: TestKontor;
  let masterid: string;
  beforeAll(async () => {
    kontor = await testKontor();
    masterid = await masterWith(kontor, 'sku;marke\n1;bosch\n');
  });
  afterAll(() => kontor.close());

  it('RUL-14 a save that changed only a secret says which: a password, or the hidden part of an address', async () => {
    const { id } = await kontor.ask(api.createExport, { params: { masterid }, body: { name: 'Geheimes' } });
    const newest = async (subject: 'upload' | 'schedule', scope: string) =>
      (await kontor.ask(api.revisions, { params: { subject, scope } }))[0]?.changes;
    const upload = {
      active: true,
      host: 'ftp.beispiel.de',
      port: 22,
      user: 'laden',
      dir: '/',
      filename: 'a.csv',
      pass: '',
    };
    for (const pass of ['eins', 'zwei'])
      await kontor.ask(api.saveUpload, { params: { id }, body: { ...upload, pass } });
    expect(await newest('upload', `export:${id}`)).toEqual(['Passwort neu eingegeben.']);
    await kontor.ask(api.saveUpload, { params: { id }, body: upload });
    expect(await newest('upload', `export:${id}`)).toEqual(['Ohne Änderung gespeichert.']);
    const times = { active: false, kind: 'interval', minutes: 60 } as const;
    for (const key of ['1', '2'])
      await kontor.ask(api.saveImportSchedule, {
        params: { masterid },
        body: { ...times, address: `https://liefert.beispiel.de/a.csv?key=${key}` },
      });
    const scope = `master:${masterid}`;
    expect(await newest('schedule', scope)).toEqual(['Nicht angezeigter Teil der Adresse geändert.']);
    await kontor.ask(api.saveImportSchedule, { params: { masterid }, body: { ...times, options: { delimiter: ';' } } });
    expect(await newest('schedule', scope)).toEqual(['Angaben zur Datei geändert.']);
  });
});
