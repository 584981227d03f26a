import { useEffect, useRef, useState } from 'react';

/** Returns the width of an element as it is laid out, in whole pixels, and what takes the element. It is 0 at first. */
export function useWidth(): readonly [number, (element: HTMLElement | null) => void] {
  const [width, setWidth] = useState(0);
  const observer = useRef<ResizeObserver | null>(null);
  useEffect(() => () => observer.current?.disconnect(), []);
  const [takeElement] = useState(() => (element: HTMLElement | null) => {
    observer.current?.disconnect();
    if (element === null) return;
    // An element that is not laid out at the moment has no width; the one that it had is the better guess.
    const measure = () => setWidth((before) => element.clientWidth || before);
    observer.current = new ResizeObserver(measure);
    observer.current.observe(element);
    measure();
  });
  return [width, takeElement];
}
