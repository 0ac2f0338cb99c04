// The bytes of the network that is part of the program, and how many they are. The build says
// which file that is: NETWORK_FILE.

#if defined(__APPLE__)
#define NAME(name) _##name
    .const
#else
#define NAME(name) name
#if defined(_WIN32)
    .section .rdata, "dr"
#else
    .section .rodata
#endif
#endif

    .balign 64
    .globl NAME(parley_network)
NAME(parley_network):
    .incbin NETWORK_FILE
1:
    .balign 8
    .globl NAME(parley_network_size)
NAME(parley_network_size):
    .quad 1b - NAME(parley_network)

#if defined(__ELF__)
    .section .note.GNU-stack, "", %progbits
#endif
