import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ChannelTemplate } from '#shared/channels/schema.ts';

const folder = new URL('../../../channels/', import.meta.url);
let loaded: ReadonlyMap<string, ChannelTemplate> | undefined;

/**
 * Returns all channel templates, by the channel's name in an export's settings. They are files of the program that do not change
 * while it runs, so they are read once. @throws Error naming the file if one does not match the schema
 */
export function channelTemplates(): ReadonlyMap<string, ChannelTemplate> {
  loaded ??= new Map(
    readdirSync(folder)
      .filter((file) => file.endsWith('.json'))
      .toSorted()
      .map((file) => readTemplate(file))
      .map((template) => [template.channel, template]),
  );
  return loaded;
}

/** Returns the template of an export's channel; undefined for a channel that a merchant invented. */
export const templateOf = (channel: string): ChannelTemplate | undefined => channelTemplates().get(channel);

/**
 * Returns the channel's name for use in a sentence; '' for the free format, which belongs to no channel, and for an invented
 * channel.
 */
export const channelName = (template: ChannelTemplate | undefined): string =>
  template === undefined || template.fields.length === 0 ? '' : template.name;

function readTemplate(file: string): ChannelTemplate {
  const path = new URL(file, folder);
  const { data, error } = ChannelTemplate.safeParse(JSON.parse(readFileSync(path, 'utf8')));
  if (!data) throw new Error(`${fileURLToPath(path)}: ${error.message}`);
  return withIds(data);
}

/** Resolves the id lists that a template's conditions refer to by name. */
function withIds(template: ChannelTemplate): ChannelTemplate {
  const idsOf = (list: string | undefined) => (list === undefined ? [] : (template.idLists[list] ?? '').split(' '));
  const fields = template.fields.map((field) => ({
    ...field,
    when: field.when.map((condition) => ({ ...condition, ids: idsOf(condition.idList) })),
  }));
  return { ...template, fields };
}
