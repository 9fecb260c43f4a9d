import type { ChannelInfo } from '#shared/channels/schema.ts';
import { outputKinds } from '#shared/exports/schema.ts';

/** The channel without a template: own fields, own format. */
export const FREE = 'frei';

export type FileKind = keyof typeof outputKinds;
export const fileKinds: readonly FileKind[] = ['csv', 'xml', 'json', 'jsonl', 'xlsx'];

/** State of the form for a new export; names that nobody typed follow the channel. */
export type NewExportForm = {
  readonly channel: ChannelInfo;
  readonly kind: FileKind;
  /** null: not typed, follows the channel. */
  readonly name: string | null;
  readonly filename: string | null;
};

/** Returns the free channel first, because it fits everything; the others by name. */
export function inOrder(channels: readonly ChannelInfo[]): ChannelInfo[] {
  const rank = ({ channel }: ChannelInfo) => (channel === FREE ? 0 : 1);
  return channels.toSorted((a, b) => rank(a) - rank(b) || a.name.localeCompare(b.name, 'de-DE'));
}

export const nameOf = ({ name, channel }: NewExportForm): string =>
  name ?? (channel.channel === FREE ? '' : channel.name);

/** Returns the channel's own file name, or one from the export's name, with the extension of the chosen kind. */
export function filenameOf(form: NewExportForm): string {
  const { filename, channel, kind } = form;
  if (filename !== null) return filename;
  if (channel.channel === FREE) return `${plain(nameOf(form))}.${outputKinds[kind].extension}`;
  if (kind === channel.format.kind) return channel.filename;
  return `${channel.filename.replace(/\.[a-z0-9]+$/i, '')}.${outputKinds[kind].extension}`;
}

/** Replaces characters that the settings do not accept in a file name. */
function plain(name: string): string {
  const clean = name
    .replaceAll(/[^\w.\- äöüÄÖÜß]+/g, '_')
    .trim()
    .slice(0, 80);
  return clean === '' || /^[._]*$/.test(clean) ? 'export' : clean;
}
