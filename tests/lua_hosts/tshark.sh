needs tshark python3
{
    recipe dissector.lua
    echo "$fib"
    cat <<'L'
local proto = Proto("fib", "Fib")
function proto.dissector(buffer, packet, tree) fib(10) end
DissectorTable.get("udp.port"):add(9999, proto)
L
} >dissector.lua
python3 - <<'P'
import struct
with open("packets.pcap", "wb") as file:  # 20 packets by UDP to port 9999
    file.write(struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 1))
    for i in range(20):
        udp = struct.pack(">HHHH", 1234, 9999, 12, 0) + b"text"
        ip = struct.pack(">BBHHHBBHII", 0x45, 0, 20 + len(udp), i, 0, 64, 17, 0, 0x7F000001, 0x7F000001) + udp
        frame = bytes(12) + b"\x08\x00" + ip
        file.write(struct.pack("<IIII", i, 0, len(frame), len(frame)) + frame)
P
tshark -X lua_script:dissector.lua -r packets.pcap >start.out 2>&1 || fail "$(cat start.out)"
expect wireshark.pb.gz fib $((20 * 177))
