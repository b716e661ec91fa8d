// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// @title USD Coin as tests and demonstrations need it: anybody may mint. Of no worth.
contract TestUsdc is ERC20 {
    constructor() ERC20("USD Coin", "USDC") {}

    /// @notice One dollar is 1,000,000 base units, as with the real token.
    function decimals() public pure override returns (uint8) {
        return 6;
    }

    /// @notice Makes base units out of nothing.
    function mint(address to, uint256 value) external {
        _mint(to, value);
    }
}
