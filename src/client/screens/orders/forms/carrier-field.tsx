import { NativeSelect, TextInput } from '@mantine/core';
import { useMemo, useState } from 'react';
import { api } from '#shared/http/api.ts';
import { carriers } from '#shared/orders/schema.ts';
import { call } from '#client/call.ts';
import { useLive } from '#client/use-live.ts';

/** Value of the choice to type another name. */
const other = '…';

type CarrierFieldProps = {
  order: { orderid: string; channel: string };
  carrier: string;
  onCarrier: (carrier: string) => void;
};

/** DHL, DPD, GLS (OIM-02) and other carriers that the order's channel accepts, which are loaded when the form opens. */
export function CarrierField({ order: { orderid, channel }, carrier, onCarrier }: CarrierFieldProps) {
  const question = useMemo(() => ({ orderid, channel }), [orderid, channel]);
  const { answer } = useLive(
    question,
    (signal) => call(api.order, { params: { orderid }, query: { channel }, signal }),
    { delay: 0 },
  );
  const [typed, setTyped] = useState(false);
  const known = [...new Set([...carriers, ...(answer?.carriers ?? [])])];
  const choose = (chosen: string) => {
    setTyped(chosen === other);
    onCarrier(chosen === other ? '' : chosen);
  };
  return (
    <>
      <NativeSelect
        label="Versanddienst"
        data-autofocus
        required
        value={typed ? other : carrier}
        onChange={({ currentTarget }) => choose(currentTarget.value)}
        data={[
          { value: '', label: 'Bitte wählen' },
          ...known,
          ...(answer?.other_carriers === true ? [{ value: other, label: 'Anderer …' }] : []),
        ]}
      />
      {typed && (
        <TextInput
          label="Name des Versanddienstes"
          required
          maxLength={50}
          value={carrier}
          onChange={({ currentTarget }) => onCarrier(currentTarget.value)}
        />
      )}
    </>
  );
}
