import { expect, it } from 'vitest';
import { ScheduleSettings } from '#shared/schedule/schema.ts';
import { StockSettings } from '#shared/stock/settings.ts';
import { stockChanges } from '#shared/stock/changes.ts';
import { scheduleChanges } from './settings-difference.ts';

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
