import type { FastifyInstance } from 'fastify';
import { api } from '#shared/http/api.ts';
import type { ChannelInfo, ChannelTemplate } from '#shared/channels/schema.ts';
import { channelTemplates, templateOf } from './channel-templates.ts';
import { notFound } from '#platform/errors.ts';
import { route } from '#platform/http/server.ts';

export function channelRoutes(app: FastifyInstance): void {
  route(app, api.channels, async () => [...channelTemplates().values()].map(infoOf));

  route(app, api.channel, async ({ params }) => {
    const template = templateOf(params.channel);
    if (!template) throw notFound('Diese Vorlage');
    return template;
  });
}

function infoOf({ channel, name, description, format, filename, fields }: ChannelTemplate): ChannelInfo {
  return {
    channel,
    name,
    description,
    format,
    filename,
    fields: fields.length,
    required: fields.filter(({ requirement }) => requirement === 'Required').length,
    verified: fields.every(({ verified }) => verified),
  };
}
