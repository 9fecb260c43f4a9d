import { z } from 'zod';
import type { Call } from '#shared/http/call.ts';
import { ChannelInfo, ChannelTemplate } from './schema.ts';

export const channelCalls = {
  channels: {
    method: 'GET',
    path: '/api/channels',
    summary: 'Kanäle, für die es eine Vorlage gibt',
    access: 'read',
    response: z.array(ChannelInfo),
  },
  channel: {
    method: 'GET',
    path: '/api/channels/{channel}',
    summary: 'Vorlage eines Kanals',
    access: 'read',
    params: z.object({ channel: z.string().min(1).max(100) }),
    response: ChannelTemplate,
  },
} as const satisfies Record<string, Call>;
