/** `import` would read every member of the module, and so load fetch and WebSocket at each start. */
export const http = process.getBuiltinModule('node:http');
