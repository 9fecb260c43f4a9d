import { Radio, TextInput } from '@mantine/core';
import IconSearch from 'virtual:icons/search';
import { useState } from 'react';
import type { ChannelInfo } from '#shared/channels/schema.ts';
import { outputKinds } from '#shared/exports/schema.ts';
import { Badge } from '#client/ui/badge.tsx';
import { formatCount } from '#client/ui/text/formats.ts';
import { ScrollRegion } from '#client/ui/scroll-region.tsx';
import classes from './create-export.module.css';

type ChannelListProps = { channels: readonly ChannelInfo[]; chosen: string; onChoose: (channel: ChannelInfo) => void };

/** The channels with templates, to be searched and chosen from. */
export function ChannelList({ channels, chosen, onChoose }: ChannelListProps) {
  const [typed, setTyped] = useState('');
  const wanted = typed.trim().toLowerCase();
  const found = channels.filter(({ name, description, channel }) =>
    [name, description, channel].some((text) => text.toLowerCase().includes(wanted)),
  );
  return (
    <div className="k-stack" style={{ gap: 8 }}>
      <TextInput
        aria-label="Kanal suchen"
        placeholder="Kanal suchen"
        leftSection={<IconSearch size={16} aria-hidden />}
        data-autofocus
        value={typed}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        // Enter belongs to the search here, and must not submit the form.
        onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
      />
      <ScrollRegion label="Kanäle" className={classes.channels}>
        <Radio.Group
          aria-label="Kanal"
          value={chosen}
          onChange={(value) => {
            const channel = channels.find((one) => one.channel === value);
            if (channel !== undefined) onChoose(channel);
          }}
        >
          {found.map((channel) => (
            <Radio
              key={channel.channel}
              value={channel.channel}
              className={classes.channel}
              label={channel.name}
              description={<ChannelWords channel={channel} />}
            />
          ))}
        </Radio.Group>
        {found.length === 0 && (
          <p className="k-muted" role="status">
            Kein Kanal gefunden. Für jeden anderen Empfänger passt „{channels[0]?.name}“.
          </p>
        )}
      </ScrollRegion>
    </div>
  );
}

function ChannelWords({ channel: { description, format, fields, required, verified } }: { channel: ChannelInfo }) {
  return (
    <>
      <span className={classes.words}>{description}</span>
      <span className={classes.facts}>
        <span>{outputKinds[format.kind].label}</span>
        {fields > 0 && (
          <span>
            {formatCount(fields, 'Feld', 'Felder')}, davon {formatCount(required, 'Pflichtfeld', 'Pflichtfelder')}
          </span>
        )}
        {!verified && <Badge tone="yellow">einzelne Angaben ungeprüft</Badge>}
      </span>
    </>
  );
}
