import { Autocomplete } from '@mantine/core';
import { useRef } from 'react';
import type { ChannelInfo } from '#shared/channels/schema.ts';
import { channelNamed } from './lost-template.ts';

type ChannelFieldProps = {
  channels: readonly ChannelInfo[];
  channel: string;
  error: string | undefined;
  onChannel: (channel: string) => void;
};

/** The channel of an export: one with a template, or any other name. A template's name stands for its channel. */
export function ChannelField({ channels, channel, error, onChannel }: ChannelFieldProps) {
  const known = channelNamed(channels, channel);
  const isTyped = useRef(false);
  const nameOf = (id: string) => channels.find((one) => one.channel === id)?.name ?? id;
  return (
    <Autocomplete
      label="Kanal"
      description={
        channel.trim() === ''
          ? 'Wohin die Datei geht'
          : known === undefined
            ? 'Für diesen Kanal gibt es keine Vorlage: Felder und Prüfungen bestimmen Sie selbst.'
            : `Vorlage: ${known.name}`
      }
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      maxLength={100}
      data={channels.map((one) => one.channel)}
      // All are offered, whatever the field holds: it usually holds one of them.
      filter={({ options }) => options}
      renderOption={({ option }) => (
        <span>
          {nameOf(option.value)} <span className="k-muted k-small">{option.value}</span>
        </span>
      )}
      value={channel}
      error={error}
      onChange={(typed) => {
        isTyped.current = true;
        onChannel(typed);
      }}
      data-takes-when-left=""
      // A stored name is not replaced by only passing through the field.
      onBlur={() => {
        if (isTyped.current && known !== undefined && known.channel !== channel) onChannel(known.channel);
      }}
    />
  );
}
