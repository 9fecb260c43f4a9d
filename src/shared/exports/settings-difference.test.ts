import { expect, it } from 'vitest';
import { ScheduleSettings } from '#shared/schedule/schema.ts';
import { StockSettings } from '#shared/stock/settings.ts';
import { stockChanges } from '#shared/stock/changes.ts';
import { ExportSettings } from './schema.ts';
import { scheduleChanges, settingsChanges } from './settings-difference.ts';

it('GEN-01 the history counts hours with singular and plural', () => {
  const schedule = (patience: number) => ScheduleSettings.parse({ patience });
  expect(scheduleChanges(schedule(26), schedule(1))).toEqual([
    'Meldung ohne erfolgreichen Lauf: vorher „nach 26 Stunden“, jetzt „nach 1 Stunde“.',
  ]);
  const stock = (hours: number) => StockSettings.parse({ source_hours: hours });
  expect(stockChanges(stock(48), stock(1))).toEqual([
    'Anhalten, wenn die Quelle älter ist als: vorher „48 Stunden“, jetzt „1 Stunde“.',
  ]);
});

it('RUL-14 the history names each setting of an export that a save changed, also the fields of stock and price', () => {
  const settings = (stockFields: object) =>
    ExportSettings.parse({ name: 'Laden', channel: '', filename: 'laden.csv', format: { kind: 'csv' }, stockFields });
  expect(settingsChanges(settings({ stock: 'lager' }), settings({ id: 'sku', price: 'vk' }))).toEqual([
    'Bestand und Preis: Feld der Artikelnummer: vorher leer, jetzt „sku“.',
    'Bestand und Preis: Feld des Bestands: vorher „lager“, jetzt leer.',
    'Bestand und Preis: Feld des Preises: vorher leer, jetzt „vk“.',
  ]);
  expect(settingsChanges(settings({}), settings({}))).toEqual([]);
});

it('the history names what was changed in a schedule or a channel although it is not used at present', () => {
  const schedule = (change: object) => ScheduleSettings.parse({ kind: 'interval', ...change });
  expect(scheduleChanges(schedule({}), schedule({ times: ['07:00', '08:00'] }))).toEqual([
    'Uhrzeiten, zurzeit nicht benutzt: vorher „06:00“, jetzt „07:00, 08:00“.',
  ]);
  const times = (minutes: number) => ScheduleSettings.parse({ minutes });
  expect(scheduleChanges(times(60), times(15))).toEqual([
    'Abstand, zurzeit nicht benutzt: vorher „60 Minuten“, jetzt „15 Minuten“.',
  ]);
  const stock = (share: number) =>
    StockSettings.parse({ channels: [{ id: 'k1', active: false, floor: 0, cap: null, share }] });
  expect(stockChanges(stock(100), stock(50))).toEqual([
    'Kanal k1, zurzeit aus: vorher „100 %, ab 0 Stück ausverkauft, höchstens unbegrenzt“, jetzt „50 %, ab 0 Stück ausverkauft, höchstens unbegrenzt“.',
  ]);
});
