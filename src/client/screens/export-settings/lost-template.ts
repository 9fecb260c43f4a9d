import type { ChannelInfo } from '#shared/channels/schema.ts';

/** Returns the channel with a template that a text means: by its id, or by its name as users know it. */
export function channelNamed(channels: readonly ChannelInfo[], text: string): ChannelInfo | undefined {
  const wanted = text.trim().toLowerCase();
  return (
    channels.find(({ channel }) => channel === text) ??
    channels.find(({ channel, name }) => channel.toLowerCase() === wanted || name.toLowerCase() === wanted)
  );
}

/** What a save would take away: the template that applied so far; `next` is the one that applies instead, if any. */
export type LostTemplate = { readonly before: ChannelInfo; readonly next: ChannelInfo | undefined };

/** Returns the template that a changed channel would drop; null if it drops none. */
export function lostTemplate(channels: readonly ChannelInfo[], before: string, now: string): LostTemplate | null {
  const at = (id: string) => channels.find(({ channel }) => channel === id);
  const lost = at(before);
  return lost === undefined || before === now ? null : { before: lost, next: at(now) };
}
