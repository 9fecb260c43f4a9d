import { countText } from '#shared/values/integer-text.ts';
import type { StockChannel, StockSettings } from './settings.ts';

/** Returns the changes between two states of the settings as German sentences. */
export function stockChanges(before: StockSettings, after: StockSettings): string[] {
  const was = new Map([...words(before), ...silent(after, before)]);
  const is = [...words(after), ...silent(before, after)];
  const now = new Set(is.map(([word]) => word));
  const gone = [...was]
    .filter(([word]) => !now.has(word))
    .map(([word]): [string, string] => [word, 'nicht eingestellt']);
  return [...is, ...gone]
    .filter(([word, value]) => (was.get(word) ?? 'nicht eingestellt') !== value)
    .map(([word, value]) => `${word}: vorher „${was.get(word) ?? 'nicht eingestellt'}“, jetzt „${value}“.`);
}

function words(settings: StockSettings): [string, string][] {
  const hours = settings.source_hours === 0 ? 'ohne Grenze' : countText(settings.source_hours, 'Stunde', 'Stunden');
  return [
    ['Bestandsfeld', settings.field === '' ? 'keines' : settings.field],
    ['Bestand enthält offene Bestellungen', settings.contains_open_orders ? 'ja' : 'nein'],
    ['Puffer', `${settings.buffer_pieces} Stück und ${settings.buffer_percent} %`],
    ['Anhalten, wenn auf 0 fallen', settings.hold_percent === 100 ? 'nie' : `mehr als ${settings.hold_percent} %`],
    ['Anhalten, wenn die Quelle älter ist als', hours],
    ...settings.channels.map((channel): [string, string] => [`Kanal ${channel.id}`, channelWords(channel)]),
  ];
}

const channelWords = (channel: StockChannel): string => (channel.active ? limitWords(channel) : 'aus');
const limitWords = ({ floor, cap, share }: StockChannel): string =>
  `${share} %, ab ${floor} Stück ausverkauft, höchstens ${cap ?? 'unbegrenzt'}`;

/** The limits of the channels that are off in both states, as in `after`: they apply as soon as a channel is on. */
function silent(before: StockSettings, after: StockSettings): [string, string][] {
  const off = new Set(before.channels.filter(({ active }) => !active).map(({ id }) => id));
  return after.channels
    .filter(({ id, active }) => !active && off.has(id))
    .map((channel) => [`Kanal ${channel.id}, zurzeit aus`, limitWords(channel)]);
}
