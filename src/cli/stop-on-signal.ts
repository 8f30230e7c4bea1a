/** SIGTERM and SIGINT close once; a second one does not wait. */
export function stopOnSignal(running: { close(): Promise<void> }): void {
  let stopping = false;
  const stop = () => {
    if (stopping) process.exit(1);
    stopping = true;
    running.close().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  process.once('SIGTERM', stop);
  process.on('SIGINT', stop);
}
