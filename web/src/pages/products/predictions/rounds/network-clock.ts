import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { isSandbox, useInstance } from '../../../../api/instance.ts';
import { callRpc } from '../../../../api/network.ts';

const REFRESH_MS = 1_500;

/**
 * Returns the time of the network in Unix milliseconds, again and again. The clock of the embedded network can be moved, so it is
 * asked; that of another network is the clock of everybody, to which the clock of this machine is near.
 *
 * Null: it is not known yet.
 */
export function useNetworkClock(): number | null {
  const { data: instance } = useInstance();
  const isAsked = isSandbox(instance);
  const { data } = useQuery({
    queryKey: ['network-clock'],
    queryFn: readNetworkTime,
    enabled: isAsked,
    refetchInterval: REFRESH_MS,
  });
  const local = useLocalClock(instance !== undefined && !isAsked);
  return isAsked ? (data ?? null) : local;
}

async function readNetworkTime(): Promise<number> {
  const slot = await callRpc<number>('getSlot', [{ commitment: 'processed' }]);
  return (await callRpc<number>('getBlockTime', [slot])) * 1_000;
}

function useLocalClock(isOn: boolean): number | null {
  const [time, setTime] = useState<number | null>(null);
  useEffect(() => {
    if (!isOn) return;
    const tell = () => setTime(performance.timeOrigin + performance.now());
    tell();
    const timer = setInterval(tell, REFRESH_MS);
    return () => clearInterval(timer);
  }, [isOn]);
  return time;
}
