import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ChannelTemplate } from '#shared/channels/schema.ts';

const folder = new URL('../../../channels/', import.meta.url);
let loaded: ReadonlyMap<string, ChannelTemplate> | undefined;

/**
 * Every channel we have a template for, by its name in an export's settings. They are files of the program and do not
 * change while it runs: read once. @throws Error naming the file if one does not fit the schema
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

/** The template of an export's channel; undefined for a channel that merchants made up. */
export const templateOf = (channel: string): ChannelTemplate | undefined => channelTemplates().get(channel);

/** The channel as sentences name it; '' for the free format, which is nobody's, and for a channel that merchants made up. */
export const channelName = (template: ChannelTemplate | undefined): string =>
  template === undefined || template.fields.length === 0 ? '' : template.name;

function readTemplate(file: string): ChannelTemplate {
  const path = new URL(file, folder);
  const { data, error } = ChannelTemplate.safeParse(JSON.parse(readFileSync(path, 'utf8')));
  if (!data) throw new Error(`${fileURLToPath(path)}: ${error.message}`);
  return withIds(data);
}

/** The template with the numbers that its conditions name by a list. */
function withIds(template: ChannelTemplate): ChannelTemplate {
  const idsOf = (list: string | undefined) => (list === undefined ? [] : (template.idLists[list] ?? '').split(' '));
  const fields = template.fields.map((field) => ({
    ...field,
    when: field.when.map((condition) => ({ ...condition, ids: idsOf(condition.idList) })),
  }));
  return { ...template, fields };
}
